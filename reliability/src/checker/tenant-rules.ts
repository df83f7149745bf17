import { targetsOf } from '../history.ts';
import type { Evidence } from './evidence.ts';

/** I8: no tenant reads, changes or infers data of another, and no URL of a customer leads to a closed address. */
export function checkTenants({ history, canaryConnections }: Evidence): string[] {
  const problems = canaryConnections.map((address) => `a customer's URL led to ${address}`);
  for (const { op, kind, phase, tenant, status, leakedTenant, reason } of history) {
    if (leakedTenant !== null)
      problems.push(`operation ${op} (${kind}): ${tenant} was shown data of ${leakedTenant}`);
    const answered = kind === 'probe' && (phase === 'ok' || phase === 'failed');
    if (answered && status !== 404) problems.push(`operation ${op}: ${tenant} got ${status} for ${reason}`);
  }
  return problems;
}

/** Part of I8: every member but the founder was invited, everyone who accepted an invitation is a member, and one member is the owner. */
export function checkTeams(evidence: Evidence): string[] {
  const { members, invitations, history, tenants } = evidence;
  const problems: string[] = [];
  for (const { workspaceId, name, email: founder } of tenants) {
    const team = members.filter(({ workspace_id }) => workspace_id === workspaceId);
    const owners = team.filter(({ role }) => role === 'owner');
    if (owners.length !== 1) problems.push(`${name} has ${owners.length} owners`);
    const own = invitations.filter(({ workspace_id }) => workspace_id === workspaceId);
    for (const { email } of team) {
      const acceptedCount = own.filter((one) => one.email === email && one.accepted).length;
      if (email !== founder && acceptedCount !== 1)
        problems.push(`${email} is a member of ${name} with ${acceptedCount} accepted invitations`);
    }
    for (const { email } of own.filter(({ accepted }) => accepted))
      if (!team.some((member) => member.email === email))
        problems.push(`${email} accepted the invitation of ${name} and is not a member`);
    problems.push(...checkOwnership(evidence, workspaceId, owners[0]?.user_id ?? null));
  }
  for (const email of targetsOf(history, 'join'))
    if (
      !members.some(
        (member) =>
          member.email === email &&
          invitations.some((one) => one.email === email && one.workspace_id === member.workspace_id),
      )
    )
      problems.push(`${email} joined and is not a member`);
  return problems;
}

/** Each transfer is made by the owner whom the previous one appointed, and the last one appointed the present owner. */
function checkOwnership({ audit }: Evidence, workspaceId: string, ownerId: string | null): string[] {
  const problems: string[] = [];
  let holder: unknown = null;
  for (const { workspace_id, action, metadata } of audit) {
    if (workspace_id !== workspaceId || action !== 'workspace.transfer_ownership') continue;
    if (holder !== null && metadata.from !== holder)
      problems.push(`${String(metadata.from)} transferred ${workspaceId}, which ${String(holder)} owned`);
    holder = metadata.to;
  }
  if (holder !== null && holder !== ownerId)
    problems.push(
      `${workspaceId} was transferred to ${String(holder)} and is owned by ${ownerId ?? 'nobody'}`,
    );
  return problems;
}
