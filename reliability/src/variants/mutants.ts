import type { Invariant } from '../checker/check.ts';
import type { Provocation } from '../scenarios/provocations.ts';
import { type Patch, patchServer } from './build-variant.ts';

/** A plausible bug, the provocation that exposes it, and the promises that it may break. */
export type Mutant = {
  name: string;
  provocation: Provocation;
  /** `own`: an expectation of the provocation itself, which it reports as a problem. */
  breaks: readonly (Invariant | 'own')[];
  patches: readonly Patch[];
};

const one = (...patch: Parameters<typeof patchServer>): Patch[] => [patchServer(...patch)];

export const MUTANTS: readonly Mutant[] = [
  {
    // The commit comes long after the answer, on which the API is killed.
    name: 'the response is sent before the commit',
    provocation: 'death after the answer',
    breaks: ['I1', 'I2'],
    patches: one(
      'platform/postgres.ts',
      "    const [{ command }] = await Promise.all([client.query('commit'), ...lasts])",
      `    if (/"job_/.test(JSON.stringify(result ?? null)) && process.argv[2] === 'serve') {
      const release = client.release.bind(client);
      client.release = () => {};
      setTimeout(() => client.query('commit').finally(() => release()), 700);
      return result;
    }
` + "    const [{ command }] = await Promise.all([client.query('commit'), ...lasts])",
    ),
  },
  {
    name: 'dead workers keep their jobs',
    provocation: 'death at work',
    breaks: ['I1'],
    patches: one(
      'jobs/reaper.ts',
      'const expired = await findExpiredLeases',
      'const expired = [] as never[] ?? await findExpiredLeases',
    ),
  },
  {
    name: 'a job is deleted from the queue before it is run',
    provocation: 'death at work',
    breaks: ['I1'],
    patches: one(
      'jobs/worker.ts',
      'for (const job of claimed) running.start(definition, job);',
      "for (const job of claimed) { if (kind === 'analysis.run') await db.query('delete from jobs where id = $1', [job.id]); running.start(definition, job); }",
    ),
  },
  {
    // Two guards, each sufficient, are both removed: the check before a write, and the heartbeat after the worker resumes.
    name: 'the lease is checked neither before a write nor after a pause',
    provocation: 'zombie',
    breaks: ['I6'],
    patches: [
      patchServer(
        'jobs/running-jobs.ts',
        'if (!kept.has(job.claimed.id) && running.has(job)) job.abort',
        'if (job.claimed.id < 0) job.abort',
      ),
      patchServer(
        'jobs/lease.ts',
        '  if (held === null) throw new LeaseLost();',
        '  if (held === null) return;',
      ),
    ],
  },
  {
    name: 'idempotency keys are ignored',
    provocation: 'hard day',
    breaks: ['I2'],
    patches: one(
      'http/idempotency.ts',
      '  if (!row) return null;',
      '  return null;\n  if (!row) return null;',
    ),
  },
  {
    name: 'a failure costs a credit',
    provocation: 'hard day',
    breaks: ['I3'],
    patches: one(
      'analyses/attempt/complete.ts',
      'if (analysis.workspaceId !== null) {\n      await refundCredit',
      'if (false) {\n      await refundCredit',
    ),
  },
  {
    name: 'a refund is in the ledger but not in the balance',
    provocation: 'hard day',
    breaks: ['I3'],
    patches: one('usage/usage.ts', 'used: balance.used - 1 });', 'used: balance.used });'),
  },
  {
    name: 'each meter report has a new identifier',
    provocation: 'hard day',
    breaks: ['I3'],
    patches: one(
      'billing/stripe-provider.ts',
      'identifier: analysisId,',
      'identifier: [analysisId, Date.now()].join(),',
    ),
  },
  {
    name: 'a cancel is confirmed but not carried out',
    provocation: 'hard day',
    breaks: ['I1'],
    patches: one(
      'analyses/analyses.ts',
      "await store.markEnded(tx, analysis.id, { status: 'canceled', failure: null, now });",
      '',
    ),
  },
  {
    name: 'a failure is not announced',
    provocation: 'hard day',
    breaks: ['I4'],
    patches: one(
      'analyses/attempt/complete.ts',
      "await announceEnd(ctx, tx, { ...analysis, status: 'failed', failure, completedAt: now });",
      '',
    ),
  },
  {
    name: 'a webhook is attempted only once',
    provocation: 'hard day',
    breaks: ['I4'],
    patches: one(
      'webhooks/outcome.ts',
      'const mayRetry = !result.delivered',
      'const mayRetry = false && !result.delivered',
    ),
  },
  {
    name: 'a webhook is signed over different bytes',
    provocation: 'hard day',
    breaks: ['I4'],
    patches: one(
      'webhooks/sign.ts',
      "update(content, 'utf8')",
      "update(content.replaceAll(',', ', '), 'utf8')",
    ),
  },
  {
    name: 'the body of a webhook changes with every attempt',
    provocation: 'hard day',
    breaks: ['I4'],
    patches: one(
      'webhooks/claim.ts',
      '  const { id, body } = delivery;',
      '  const { id } = delivery;\n  const body = JSON.stringify({ ...JSON.parse(delivery.body), timestamp: now.toISOString() });',
    ),
  },
  {
    name: 'any answer counts as delivered',
    provocation: 'hard day',
    breaks: ['I4'],
    patches: one('webhooks/call.ts', 'status <= 299;', 'status <= 599;'),
  },
  {
    name: 'the endpoints of every workspace are notified',
    provocation: 'hard day',
    breaks: ['I4'],
    patches: one(
      'webhooks/endpoint-store.ts',
      "where workspace_id = $1 and status = 'active' and (event_types",
      "where $1::text is not null and status = 'active' and (event_types",
    ),
  },
  {
    name: 'the last byte of a file is not written',
    provocation: 'hard day',
    breaks: ['I5'],
    patches: one(
      'platform/write-through.ts',
      'await writeAll(file, chunk);',
      'await writeAll(file, chunk.subarray(0, -1));',
    ),
  },
  {
    // Two guards, each sufficient, are both removed: the condition of the query, and the row security policy.
    name: 'a job is found without its workspace, and row security is off',
    provocation: 'hard day',
    breaks: ['I8'],
    patches: [
      patchServer('platform/tenant-view.ts', 'pg.escapeLiteral(workspaceId)', "pg.escapeLiteral('*')"),
      patchServer(
        'analyses/store.ts',
        'a.id = $1 and a.workspace_id = $2 and a.deleted_at is null',
        'a.id = $1 and $2::text is not null and a.deleted_at is null',
      ),
    ],
  },
  {
    name: 'signing secrets are logged',
    provocation: 'hard day',
    breaks: ['I9'],
    patches: one('webhooks/sign.ts', '  const content =', '  console.log(input.secrets);\n  const content ='),
  },
  {
    name: 'a host name is resolved again after it was checked',
    provocation: 'names',
    breaks: ['I8'],
    patches: one(
      'platform/guarded-fetch.ts',
      '      return { url, addresses };',
      '      return { url, addresses: family === 0 ? await lookUp(resolve, hostname, signal) : addresses };',
    ),
  },
  {
    // Two guards, each sufficient, are both removed: the record of processed events, and the comparison of versions.
    name: 'a repeated payment event counts again',
    provocation: 'people',
    breaks: ['I3'],
    patches: [
      patchServer(
        'billing/payment-events.ts',
        'if (!isNew && (await store.lockPaymentOutcome(tx, event.id)) !== UNKNOWN_CUSTOMER) return false;',
        '',
      ),
      patchServer(
        'billing/subscription-state.ts',
        'version === current.version && eventId > current.eventId',
        'version === current.version && eventId >= current.eventId',
      ),
    ],
  },
  {
    name: 'a deadline is held only by a weak reference',
    provocation: 'deadlines',
    breaks: ['own'],
    patches: [
      {
        file: 'sdk/src/deadline.ts',
        find: '  const controller = new AbortController();\n',
        replace: `  const controller = new AbortController();
  const held = parents.filter((parent) => parent !== undefined);
  if (timeoutMs !== null) return { signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...held]), clear() {} };
`,
      },
    ],
  },
  {
    // Two guards, each sufficient, are both removed: separate slots for downloads, and the limit per tenant.
    name: 'downloads use the slots of analyses, and one tenant may use all of them',
    provocation: 'slow neighbours',
    breaks: ['own'],
    patches: [
      patchServer(
        'analyses/analyses.ts',
        "storageObjectId === null ? 'analysis.download' : 'analysis.run'",
        "'analysis.run'",
      ),
      patchServer('job-handlers.ts', '    perTenant: (config) => config.workerConcurrency,\n', ''),
    ],
  },
  {
    // Two guards, each sufficient, are both removed: the lock order, and the retry after a deadlock.
    name: 'turns are locked in any order, and a deadlock is not retried',
    provocation: 'cancels',
    breaks: ['own'],
    patches: [
      patchServer(
        'jobs/queue.ts',
        '.sort(([left], [right]) => (left < right ? -1 : 1))',
        '.sort(() => Math.random() - 0.5)',
      ),
      patchServer('platform/postgres.ts', 'CONFLICT_TRIES_MAX = 6', 'CONFLICT_TRIES_MAX = 1'),
    ],
  },
  {
    name: 'an accepted invitation stays open',
    provocation: 'people',
    breaks: ['I8'],
    patches: one('workspaces/invitations.ts', '  await invitations.markAccepted(tx, id, now);\n', ''),
  },
  {
    name: 'an overloaded process accepts every request',
    provocation: 'overload',
    breaks: ['own'],
    patches: one(
      'app/app.ts',
      "  if (operation.surface !== 'operational') options.load.assertNotOverloaded();\n",
      '',
    ),
  },
  {
    name: 'uploads in progress do not count against the quota',
    provocation: 'parking',
    breaks: ['own'],
    patches: one(
      'storage-objects/quota.ts',
      '  await store.addReservedBytes(tx, objectId, byteCount);\n',
      '',
    ),
  },
];
