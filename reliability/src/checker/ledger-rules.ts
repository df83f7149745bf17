import { targetsOf } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { groupBy } from './group-by.ts';
import { TERMINAL } from './job-rules.ts';

/** I3: balances match the ledger; a job is charged once, refunded once unless it completed, and reported to the meter if it did. */
export function checkLedger(evidence: Evidence): string[] {
  const problems: string[] = [];
  for (const { workspace_id, period, granted, overage, used } of evidence.balances) {
    const entries = evidence.ledger.filter(
      (row) => row.workspace_id === workspace_id && row.period === period,
    );
    const sum = entries.reduce((total, { amount }) => total + amount, 0);
    if (sum !== granted + overage - used)
      problems.push(
        `${workspace_id} ${period}: the ledger says ${sum}, the balance ${granted + overage - used}`,
      );
    if (used < 0 || used > granted + overage)
      problems.push(`${workspace_id} ${period}: ${used} used of ${granted + overage}`);
  }
  const count = (id: string, entry: string) =>
    evidence.ledger.filter((row) => row.analysis_id === id && row.entry === entry).length;
  for (const { id, status } of evidence.analyses.filter((row) => TERMINAL.includes(row.status))) {
    const [charges, refunds] = [count(id, 'charge'), count(id, 'refund')];
    if (charges !== 1) problems.push(`${id} was charged ${charges} times`);
    if (refunds !== (status === 'completed' ? 0 : 1))
      problems.push(`${id} is ${status} and was refunded ${refunds} times`);
  }
  return [...problems, ...checkMeter(evidence)];
}

/** The provider counts each identifier once, so a repeated report is allowed. A missing report and an unknown identifier are not. */
function checkMeter(evidence: Evidence): string[] {
  const metered = new Set(
    evidence.tenants.filter((tenant) => tenant.metered).map((tenant) => tenant.workspaceId),
  );
  const reported = new Set(evidence.meterEvents.map(({ identifier }) => identifier));
  const billable = evidence.analyses.filter(
    (row) => row.status === 'completed' && metered.has(row.workspace_id),
  );
  const billableIds = new Set(billable.map(({ id }) => id));
  return [
    ...billable
      .filter(({ id }) => !reported.has(id))
      .map(({ id }) => `${id} was never reported to the meter`),
    ...[...reported]
      .filter((id) => !billableIds.has(id))
      .map((id) => `the meter was sent ${id}, which is not billable`),
    ...evidence.meterReports
      .filter(({ reported_at }) => reported_at === null)
      .map(({ analysis_id }) => `the report of ${analysis_id} is still open`),
  ];
}

/** Part of I3: an accepted payment event takes effect once, however often it was sent and whichever processes died meanwhile. */
export function checkPayments(evidence: Evidence): string[] {
  const problems: string[] = [];
  const rows = new Map(evidence.paymentEvents.map((row) => [row.id, row]));
  for (const id of targetsOf(evidence.history, 'payment')) {
    const outcome = rows.get(id)?.outcome;
    if (outcome !== 'applied')
      problems.push(`the payment event ${id} was accepted and is ${outcome ?? 'gone'}`);
  }
  const updates = groupBy(
    evidence.audit.filter(
      ({ action, metadata }) =>
        action === 'billing.update' && metadata.event_type === 'customer.subscription.updated',
    ),
    ({ workspace_id }) => workspace_id,
  );
  const applied = groupBy(
    evidence.paymentEvents.filter(({ outcome }) => outcome === 'applied'),
    ({ workspace_id }) => workspace_id,
  );
  const versions = new Map(
    evidence.billing.map(({ workspace_id, subscription_version }) => [workspace_id, subscription_version]),
  );
  for (const workspaceId of new Set([...updates.keys(), ...applied.keys()])) {
    const events = applied.get(workspaceId) ?? [];
    const effectCount = updates.get(workspaceId)?.length ?? 0;
    if (effectCount !== events.length)
      problems.push(`${workspaceId}: ${events.length} payment events had ${effectCount} effects`);
    const newest = Math.max(...events.map(({ version }) => version));
    const version = versions.get(workspaceId);
    if (events.length > 0 && version !== newest)
      problems.push(
        `${workspaceId}: the newest payment event is ${newest}, the account at ${version ?? 'none'}`,
      );
  }
  return problems;
}
