import { verifyWebhook } from '@earshot/sdk';
import type { DeliveryRow, Evidence } from './evidence.ts';
import { groupBy } from './group-by.ts';
import { TERMINAL } from './job-rules.ts';

/** I4: one event per ended job and target, delivered at least once, with the same bytes every time and a valid signature. */
export async function checkEvents(evidence: Evidence): Promise<string[]> {
  const problems: string[] = [];
  const deliveriesOf = groupBy(evidence.deliveries, ({ analysis_id }) => analysis_id);
  for (const row of evidence.analyses) {
    if (row.deleted_at !== null || !TERMINAL.includes(row.status)) continue;
    const tenant = evidence.tenants.find(({ workspaceId }) => workspaceId === row.workspace_id);
    const endpoints = tenant ? [tenant.endpoint, ...tenant.furtherEndpoints].map(({ id }) => id) : [];
    const targets = nameTargets([...endpoints, ...(row.webhook_url === null ? [] : [null])]);
    const deliveries = deliveriesOf.get(row.id) ?? [];
    const reached = nameTargets(deliveries.map(({ endpoint_id }) => endpoint_id));
    if (reached !== targets) problems.push(`${row.id} has deliveries to ${reached} instead of ${targets}`);
    for (const { id, event_type } of deliveries)
      if (event_type !== `analysis.${row.status}`)
        problems.push(`${id} says ${event_type} of ${row.id}, which is ${row.status}`);
  }
  const calls = groupBy(evidence.calls, ({ id }) => id);
  for (const delivery of evidence.deliveries)
    problems.push(...checkDelivery(delivery, calls.get(delivery.id) ?? []));
  return [...problems, ...(await checkCalls(evidence)), ...checkMails(evidence)];
}

/** An id is null where the target is the `webhook_url` of the job. */
function nameTargets(endpointIds: readonly (string | null)[]): string {
  const names = endpointIds.map((id) => id ?? 'its own URL');
  return names.sort().join(', ') || 'nothing';
}

function checkDelivery(delivery: DeliveryRow, calls: Evidence['calls']): string[] {
  const { id, status, body } = delivery;
  const accepted = calls.some(({ behaviour }) => behaviour === 'accept' || behaviour === 'slow');
  return [
    ...(status === 'delivered' ? [] : [`${id} is ${status}`]),
    ...(accepted ? [] : [`${id} is ${status} and no receiver accepted it`]),
    ...(calls.every((call) => call.body === body)
      ? []
      : [`${id} was sent with bytes other than its stored body`]),
  ];
}

async function checkCalls({ calls, tenants, analyses }: Evidence): Promise<string[]> {
  const problems: string[] = [];
  const owners = new Map(analyses.map(({ id, workspace_id }) => [id, workspace_id]));
  for (const call of calls) {
    const [, surface, name] = call.path.split('/');
    const tenant = tenants.find((candidate) => candidate.name === name);
    if (!tenant) {
      problems.push(`${call.id} was sent to ${call.path}, which belongs to no tenant`);
      continue;
    }
    const endpoint = [tenant.endpoint, ...tenant.furtherEndpoints].find(({ url }) => url.endsWith(call.path));
    const secret = surface === 'endpoint' ? endpoint?.secret : tenant.webhookSecret;
    if (secret === undefined) {
      problems.push(`${call.id} was sent to ${call.path}, which is no endpoint`);
      continue;
    }
    const at = new Date(call.atMs);
    const verified = await verifyWebhook(call.body, call.headers, secret, at).catch(() => null);
    if (verified === null) {
      problems.push(`${call.id} has a signature that does not verify at ${call.path}`);
      continue;
    }
    const jobId = String(verified.data.job_id);
    if (owners.get(jobId) !== tenant.workspaceId)
      problems.push(`${tenant.name} was notified of ${jobId}, which belongs to another tenant`);
  }
  return problems;
}

/** A person who submitted an analysis gets a mail when it is completed. */
function checkMails({ analyses, mails, tenants }: Evidence): string[] {
  return analyses
    .filter((row) => row.created_by_kind === 'user' && row.status === 'completed' && row.deleted_at === null)
    .filter(({ id, workspace_id }) => {
      const recipient = tenants.find(({ workspaceId }) => workspaceId === workspace_id)?.email;
      return !mails.some((mail) => mail.recipient === recipient && mail.text.includes(id));
    })
    .map(({ id }) => `no mail was sent about ${id}`);
}
