import type { Evidence } from './evidence.ts';
import { checkFencing } from './fencing-rules.ts';
import { checkJobs, checkSubmissions } from './job-rules.ts';
import { checkLedger, checkPayments } from './ledger-rules.ts';
import { checkLeftovers, checkSecrets } from './leftover-rules.ts';
import { checkObjects } from './object-rules.ts';
import { checkTeams, checkTenants } from './tenant-rules.ts';
import { checkEvents } from './webhook-rules.ts';

/** The invariants I1 to I9; docs/reliability.md states each as a promise. */
export const INVARIANTS = {
  I1: checkJobs,
  I2: checkSubmissions,
  I3: (evidence) => [...checkLedger(evidence), ...checkPayments(evidence)],
  I4: checkEvents,
  I5: checkObjects,
  I6: checkFencing,
  I7: checkLeftovers,
  I8: (evidence) => [...checkTenants(evidence), ...checkTeams(evidence)],
  I9: checkSecrets,
} as const satisfies Record<string, (evidence: Evidence) => Promise<string[]> | string[]>;
export type Invariant = keyof typeof INVARIANTS;

export type Violation = { invariant: Invariant; message: string };

/** Every violation found, with the ids to look up; empty when every promise was kept. */
export async function check(evidence: Evidence): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [invariant, rule] of Object.entries(INVARIANTS) as [
    Invariant,
    (typeof INVARIANTS)[Invariant],
  ][]) {
    for (const message of await rule(evidence)) violations.push({ invariant, message });
  }
  return violations;
}
