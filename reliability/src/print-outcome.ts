import type { Outcome } from './scenario.ts';

const LINES_SHOWN_MAX = 20;

/** What was wrong, one line each; empty when every promise was kept. */
export function failuresOf({ violations, problems }: Pick<Outcome, 'violations' | 'problems'>): string[] {
  return [...violations.map(({ invariant, message }) => `${invariant}: ${message}`), ...problems];
}

/** Prints the outcome of a scenario; true when every promise was kept. */
export function printOutcome(outcome: Outcome): boolean {
  const { name, seed, seconds, figures } = outcome;
  const failures = failuresOf(outcome);
  const verdict = failures.length === 0 ? 'green' : 'RED  ';
  const words = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
  console.log(`${verdict} ${name} (seed ${seed}, ${seconds} s): ${words.join(', ')}`);
  for (const line of failures.slice(0, LINES_SHOWN_MAX)) console.log(`      ${line}`);
  if (failures.length > LINES_SHOWN_MAX) console.log(`      … and ${failures.length - LINES_SHOWN_MAX} more`);
  return failures.length === 0;
}
