import { targetsOf } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { groupBy } from './group-by.ts';
import { TERMINAL } from './job-rules.ts';

/** I3: the books add up, one charge per job, one return for each that gave nothing, one meter count for each that did. */
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

/** The provider counts an identifier once, so the same one told twice is no second charge; another or none is. */
function checkMeter(evidence: Evidence): string[] {
  const metered = new Set(
    evidence.tenants.filter((tenant) => tenant.metered).map((tenant) => tenant.workspaceId),
  );
  const told = new Set(evidence.meterEvents.map(({ identifier }) => identifier));
  const owed = evidence.analyses.filter((row) => row.status === 'completed' && metered.has(row.workspace_id));
  const owedIds = new Set(owed.map(({ id }) => id));
  return [
    ...owed.filter(({ id }) => !told.has(id)).map(({ id }) => `${id} was never told to the meter`),
    ...[...told]
      .filter((id) => !owedIds.has(id))
      .map((id) => `the meter was told of ${id}, which is owed nothing`),
    ...evidence.meterReports
      .filter(({ reported_at }) => reported_at === null)
      .map(({ analysis_id }) => `the report of ${analysis_id} is still open`),
  ];
}

/** Part of I3: a payment event that was taken has its effect once, however often it came and whoever died over it. */
export function checkPayments(evidence: Evidence): string[] {
  const problems: string[] = [];
  const rows = new Map(evidence.paymentEvents.map((row) => [row.id, row]));
  for (const id of targetsOf(evidence.history, 'payment')) {
    const outcome = rows.get(id)?.outcome;
    if (outcome !== 'applied') problems.push(`the payment event ${id} was taken and is ${outcome ?? 'gone'}`);
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
  for (const { workspace_id, subscription_version } of evidence.billing) {
    const events = applied.get(workspace_id) ?? [];
    const effects = updates.get(workspace_id)?.length ?? 0;
    if (effects !== events.length)
      problems.push(`${workspace_id}: ${events.length} payment events had ${effects} effects`);
    const newest = Math.max(...events.map(({ version }) => version));
    if (events.length > 0 && subscription_version !== newest)
      problems.push(
        `${workspace_id}: the newest payment event is ${newest}, the account at ${subscription_version}`,
      );
  }
  return problems;
}
