import type { Outcome } from './scenario.ts';

const LINES_SHOWN_MAX = 20;

/** Prints the outcome of a scenario; true when every promise was kept. */
export function printOutcome(outcome: Outcome): boolean {
  const { name, seed, seconds, figures, violations, problems } = outcome;
  const fine = violations.length === 0 && problems.length === 0;
  const words = Object.entries(figures).map(([what, value]) => `${what} ${value}`);
  console.log(`${fine ? 'green' : 'RED  '} ${name} (seed ${seed}, ${seconds} s): ${words.join(', ')}`);
  const lines = [...violations.map(({ invariant, message }) => `${invariant}: ${message}`), ...problems];
  for (const line of lines.slice(0, LINES_SHOWN_MAX)) console.log(`      ${line}`);
  if (lines.length > LINES_SHOWN_MAX) console.log(`      … and ${lines.length - LINES_SHOWN_MAX} more`);
  return fine;
}
