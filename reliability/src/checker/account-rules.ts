import type { Entry } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { groupBy } from './group-by.ts';

/** Part of I3: a payment event that was taken has its effect once, however often it came and whoever died over it. */
export function checkPayments(evidence: Evidence): string[] {
  const problems: string[] = [];
  const rows = new Map(evidence.paymentEvents.map((row) => [row.id, row]));
  for (const id of confirmed(evidence.history, 'payment')) {
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

/** Part of I8: who is in a workspace was invited, who was invited and came is in, and one of them owns it. */
export function checkTeams(evidence: Evidence): string[] {
  const { members, invitations, history, tenants } = evidence;
  const problems: string[] = [];
  for (const { workspaceId, name, email: founder } of tenants) {
    const team = members.filter(({ workspace_id }) => workspace_id === workspaceId);
    const owners = team.filter(({ role }) => role === 'owner');
    if (owners.length !== 1) problems.push(`${name} has ${owners.length} owners`);
    const own = invitations.filter(({ workspace_id }) => workspace_id === workspaceId);
    for (const { email } of team) {
      const accepted = own.filter((invitation) => invitation.email === email && invitation.accepted).length;
      if (email !== founder && accepted !== 1)
        problems.push(`${email} is in the workspace of ${name} by ${accepted} accepted invitations`);
    }
    for (const { email } of own.filter(({ accepted }) => accepted))
      if (!team.some((member) => member.email === email))
        problems.push(`${email} accepted the invitation of ${name} and is not in`);
    problems.push(...checkOwnership(evidence, workspaceId, owners[0]?.user_id));
  }
  for (const email of confirmed(history, 'join'))
    if (
      !members.some(
        (member) =>
          member.email === email &&
          invitations.some((one) => one.email === email && one.workspace_id === member.workspace_id),
      )
    )
      problems.push(`${email} was let in and is not a member`);
  return problems;
}

/** Every transfer begins with whom the one before it made the owner, and the last one's is the owner. */
function checkOwnership({ audit }: Evidence, workspaceId: string, ownerId: string | undefined): string[] {
  const problems: string[] = [];
  let holder: unknown = null;
  for (const { workspace_id, action, metadata } of audit) {
    if (workspace_id !== workspaceId || action !== 'workspace.transfer_ownership') continue;
    if (holder !== null && metadata.from !== holder)
      problems.push(`${String(metadata.from)} handed ${workspaceId} over, which was ${String(holder)}'s`);
    holder = metadata.to;
  }
  if (holder !== null && holder !== ownerId)
    problems.push(`${workspaceId} was handed to ${String(holder)} and is ${ownerId}'s`);
  return problems;
}

function confirmed(history: readonly Entry[], kind: string): string[] {
  return history
    .filter((entry) => entry.kind === kind && entry.phase === 'ok')
    .map(({ target }) => target ?? '');
}
