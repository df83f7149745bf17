import { targetsOf } from '../history.ts';
import type { Evidence } from './evidence.ts';

/** I8: nobody reads, changes or infers what belongs to another tenant. */
export function checkTenants({ history, canaryConnections }: Evidence): string[] {
  const problems = canaryConnections.map((address) => `a customer's URL led to ${address}`);
  for (const { op, kind, phase, tenant, status, foreign, reason } of history) {
    if (foreign) problems.push(`operation ${op} (${kind}): ${tenant} was shown something of ${foreign}`);
    const answered = kind === 'probe' && (phase === 'ok' || phase === 'failed');
    if (answered && status !== 404) problems.push(`operation ${op}: ${tenant} got ${status} for ${reason}`);
  }
  return problems;
}

/** Part of I8: every member of a workspace was invited, everybody who accepted an invitation is a member, and one member is the owner. */
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
  for (const email of targetsOf(history, 'join'))
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

/** Every transfer is from the owner that the one before it made, and the last one made the present owner. */
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
