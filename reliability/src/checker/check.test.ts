import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createEntry, type Entry, type Facts } from '../history.ts';
import type { WebhookCall } from '../stand-ins/webhook-sink.ts';
import { check } from './check.ts';
import type { EventRow, Evidence } from './evidence.ts';

/** The evidence of one job of one tenant that went well. Each test changes one thing in it. */

const secretOf = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
const SECRET = secretOf('a secret of the endpoint');
/** Of the webhook_url of jobs. */
const JOB_SECRET = secretOf('a secret of the workspace');
const FURTHER = {
  id: 'whe_2',
  url: 'http://sink/endpoint/one/1',
  secret: secretOf('a secret of the further endpoint'),
};
const BYTES = Buffer.from('audio');
const AT_MS = Date.UTC(2026, 0, 1);
const BODY = JSON.stringify({ type: 'analysis.completed', timestamp: '', data: { job_id: 'job_1' } });
const LEFT_OVER = { kind: 'analysis.run', state: 'queued', payload: {}, last_error: null };

/** An operation of the tenant that was answered, unless `facts` say otherwise. */
const entry = (op: number, kind: string, facts: Partial<Facts> = {}, atMs = AT_MS): Entry =>
  createEntry(atMs, { op, kind, phase: 'ok', tenant: 'one', ...facts });

const DELETED = entry(6, 'delete', { target: 'job_1' });
const laterRead = (op: number, facts: Partial<Facts>) => entry(op, 'read', facts, AT_MS + 1);

/** Ends the job with the event `end`, and writes `late` after it. */
function writeAfter(end: string, late: string, { events }: Evidence): void {
  events[3] = { ...events[3]!, event_type: end };
  events.push({ ...events[3], event_type: late });
}

/** A call about the job, signed with this secret and accepted. */
function callTo(path: string, id: string, secret: string): WebhookCall {
  const seconds = String(AT_MS / 1000);
  const key = Buffer.from(secret.slice(6), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.${BODY}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` };
  return { atMs: AT_MS, path, id, headers, body: BODY, behaviour: 'accept' };
}

function goodEvidence(): Evidence {
  const tenant = {
    name: 'one',
    marker: 'mark-one',
    email: 'one@example.com',
    workspaceId: 'ws_1',
    apiKey: 'key',
    sessionToken: 'token',
    webhookSecret: JOB_SECRET,
    endpoint: { id: 'whe_1', url: 'http://sink/endpoint/one', secret: SECRET },
    furtherEndpoints: [],
    jobWebhookUrl: 'http://sink/own/one',
    metered: true,
  };
  const event = (event_type: string, metadata = {}) => ({ analysis_id: 'job_1', event_type, metadata });
  return {
    history: [
      entry(1, 'url', { phase: 'invoke', key: 'k', requestedJobCount: 1 }),
      entry(1, 'url', { key: 'k', requestedJobCount: 1, jobIds: ['job_1'] }),
      entry(2, 'probe', { phase: 'failed', target: 'job_9', status: 404, reason: 'GET /v1/analyses/job_9' }),
      entry(3, 'join', { target: 'guest@example.com' }),
      entry(4, 'handover', { target: 'usr_2' }),
      entry(5, 'payment', { target: 'evt_1' }),
    ],
    tenants: [tenant],
    analyses: [
      {
        id: 'job_1',
        workspace_id: 'ws_1',
        status: 'completed',
        file_name: 'mark-one-op1-0.wav',
        webhook_url: null,
        storage_object_id: 'obj_1',
        retain_source: true,
        created_by_kind: 'api_key',
        stage: null,
        deleted_at: null,
        has_result: true,
      },
    ],
    events: [
      event('job.queued'),
      event('job.started'),
      event('analysis.progress', { progress: 0.5 }),
      event('job.completed'),
    ],
    ledger: [
      { workspace_id: 'ws_1', period: 'p', entry: 'grant', amount: 10, analysis_id: null },
      { workspace_id: 'ws_1', period: 'p', entry: 'charge', amount: -1, analysis_id: 'job_1' },
    ],
    balances: [{ workspace_id: 'ws_1', period: 'p', granted: 10, overage: 0, used: 1 }],
    deliveries: [
      {
        id: 'whd_1',
        analysis_id: 'job_1',
        endpoint_id: 'whe_1',
        status: 'delivered',
        event_type: 'analysis.completed',
        body: BODY,
      },
    ],
    objects: [
      {
        id: 'obj_1',
        key: 'a',
        status: 'stored',
        byte_size: BYTES.length,
        sha256: createHash('sha256').update(BYTES).digest('hex'),
      },
    ],
    jobs: [],
    unsentMailCount: 0,
    meterReports: [{ analysis_id: 'job_1', reported_at: new Date(AT_MS) }],
    members: [
      { workspace_id: 'ws_1', user_id: 'usr_1', email: 'one@example.com', role: 'admin' },
      { workspace_id: 'ws_1', user_id: 'usr_2', email: 'guest@example.com', role: 'owner' },
    ],
    invitations: [{ workspace_id: 'ws_1', email: 'guest@example.com', accepted: true }],
    paymentEvents: [{ id: 'evt_1', outcome: 'applied', workspace_id: 'ws_1', version: 13 }],
    billing: [{ workspace_id: 'ws_1', subscription_version: 13 }],
    audit: [
      {
        workspace_id: 'ws_1',
        action: 'workspace.transfer_ownership',
        metadata: { from: 'usr_1', to: 'usr_2' },
      },
      {
        workspace_id: 'ws_1',
        action: 'billing.update',
        metadata: { event_type: 'customer.subscription.updated' },
      },
    ],
    canaryConnections: [],
    calls: [callTo('/endpoint/one', 'whd_1', SECRET)],
    meterEvents: [{ identifier: 'job_1', customerId: 'cus_1' }],
    mails: [],
    objectFiles: new Map([['a', BYTES]]),
    decoderFolders: [],
    decoderPids: [],
    orphanPids: [],
    secretsFound: [],
    logs: '',
  };
}

describe('the checker', () => {
  it('finds nothing in a run that kept every promise', async () => {
    expect(await check(goodEvidence())).toEqual([]);
  });

  const FAULTS: [violation: string, corrupt: (evidence: Evidence) => void][] = [
    ['I1: job_1 was accepted and is lost', (e) => e.analyses.splice(0)],
    [
      'I1: job_1 is still processing: no queue job is left for it',
      (e) => Object.assign(e.analyses[0]!, { status: 'processing' }),
    ],
    [
      'I1: job_1 is completed but its event log says job.completed, job.failed',
      (e) => e.events.push({ ...e.events[3]!, event_type: 'job.failed' }),
    ],
    [
      'I1: job_1 is completed and lacks a result',
      (e) => Object.assign(e.analyses[0]!, { has_result: false }),
    ],
    [
      'I1: job_1 is completed and still in the stage tags',
      (e) => Object.assign(e.analyses[0]!, { stage: 'tags' }),
    ],
    [
      'I1: job_1 was shown as failed and is completed',
      (e) => Object.assign(e.history[1]!, { seenStatuses: { job_1: 'failed' } }),
    ],
    [
      'I1: job_1 was shown as completed and later as failed',
      (e) =>
        e.history.push(
          laterRead(7, { seenStatuses: { job_1: 'completed' } }),
          laterRead(8, { seenStatuses: { job_1: 'failed' } }),
        ),
    ],
    [
      'I1: job_1 was deleted and is still shown',
      (e) =>
        e.history.push(
          DELETED,
          laterRead(7, { phase: 'invoke' }),
          laterRead(7, { seenStatuses: { job_1: 'completed' } }),
        ),
    ],
    ['I1: job_1 was deleted and still exists', (e) => e.history.push(DELETED)],
    [`I1: A job is left over: ${JSON.stringify(LEFT_OVER)}`, (e) => e.jobs.push(LEFT_OVER)],
    ['I1: mails that were never sent: 1', (e) => Object.assign(e, { unsentMailCount: 1 })],
    [
      'I2: operation 1 (url, ok, key k) requested 1 jobs and created 2: job_1, job_2',
      (e) => e.analyses.push({ ...e.analyses[0]!, id: 'job_2' }),
    ],
    [
      'I2: operation 1 (url, failed, key k) requested 1 jobs and created 1: job_1',
      (e) => Object.assign(e.history[1]!, { phase: 'failed', jobIds: [] }),
    ],
    [
      'I2: operation 7 (batch, unknown, key none) requested 3 jobs and created 1: job_3',
      (e) => {
        e.history.push(entry(7, 'batch', { phase: 'unknown', requestedJobCount: 3 }));
        e.analyses.push({ ...e.analyses[0]!, id: 'job_3', file_name: 'mark-one-op7-0.wav' });
      },
    ],
    ['I3: job_1 was charged 2 times', (e) => e.ledger.push(e.ledger[1]!)],
    [
      'I3: job_1 is completed and was refunded 1 times',
      (e) => e.ledger.push({ ...e.ledger[1]!, entry: 'refund', amount: 1 }),
    ],
    [
      'I3: job_1 is failed and was refunded 0 times',
      (e) => Object.assign(e.analyses[0]!, { status: 'failed' }),
    ],
    ['I3: ws_1 p: the ledger says 9, the balance 8', (e) => Object.assign(e.balances[0]!, { used: 2 })],
    ['I3: ws_1 p: 11 used of 10', (e) => Object.assign(e.balances[0]!, { used: 11 })],
    ['I3: ws_1 p: -1 used of 10', (e) => Object.assign(e.balances[0]!, { used: -1 })],
    ['I3: job_1 was never reported to the meter', (e) => e.meterEvents.splice(0)],
    [
      'I3: the meter was sent job_9, which is not billable',
      (e) => e.meterEvents.push({ ...e.meterEvents[0]!, identifier: 'job_9' }),
    ],
    [
      'I3: the report of job_1 is still open',
      (e) => Object.assign(e.meterReports[0]!, { reported_at: null }),
    ],
    ['I3: ws_1: 1 payment events had 0 effects', (e) => e.audit.splice(1)],
    ['I3: ws_1: 1 payment events had 2 effects', (e) => e.audit.push(e.audit[1]!)],
    ['I3: the payment event evt_1 was accepted and is gone', (e) => e.paymentEvents.splice(0)],
    [
      'I3: the payment event evt_1 was accepted and is ignored',
      (e) => Object.assign(e.paymentEvents[0]!, { outcome: 'ignored' }),
    ],
    [
      'I3: ws_1: the newest payment event is 13, the account at 3',
      (e) => Object.assign(e.billing[0]!, { subscription_version: 3 }),
    ],
    ['I3: ws_1: the newest payment event is 13, the account at none', (e) => e.billing.splice(0)],
    ['I4: job_1 has deliveries to nothing instead of whe_1', (e) => e.deliveries.splice(0)],
    [
      'I4: job_1 has deliveries to whe_1, whe_1 instead of whe_1',
      (e) => e.deliveries.push({ ...e.deliveries[0]!, id: 'whd_2' }),
    ],
    [
      'I4: job_1 has deliveries to its own URL instead of whe_1',
      (e) => Object.assign(e.deliveries[0]!, { endpoint_id: null }),
    ],
    [
      'I4: job_1 has deliveries to whe_1 instead of its own URL, whe_1',
      (e) => Object.assign(e.analyses[0]!, { webhook_url: 'http://sink/own/one' }),
    ],
    ['I4: job_1 has deliveries to whe_1 instead of nothing', (e) => e.tenants.splice(0)],
    [
      'I4: whd_1 says analysis.failed of job_1, which is completed',
      (e) => Object.assign(e.deliveries[0]!, { event_type: 'analysis.failed' }),
    ],
    ['I4: whd_1 is pending', (e) => Object.assign(e.deliveries[0]!, { status: 'pending' })],
    [
      'I4: whd_1 is delivered and no receiver accepted it',
      (e) => Object.assign(e.calls[0]!, { behaviour: 'refuse' }),
    ],
    [
      'I4: whd_1 was sent with bytes other than its stored body',
      (e) => Object.assign(e.deliveries[0]!, { body: '{}' }),
    ],
    [
      'I4: whd_1 has a signature that does not verify at /endpoint/one',
      (e) => Object.assign(e.calls[0]!, { body: `${e.calls[0]!.body} ` }),
    ],
    [
      'I4: whd_1 was sent to /endpoint/one/9, which is no endpoint',
      (e) => Object.assign(e.calls[0]!, { path: '/endpoint/one/9' }),
    ],
    [
      'I4: whd_1 was sent to /endpoint/two, which belongs to no tenant',
      (e) => Object.assign(e.calls[0]!, { path: '/endpoint/two' }),
    ],
    [
      'I4: one was notified of job_1, which belongs to another tenant',
      (e) => Object.assign(e.analyses[0]!, { workspace_id: 'ws_2' }),
    ],
    [
      'I4: no mail was sent about job_1',
      (e) => {
        Object.assign(e.analyses[0]!, { created_by_kind: 'user' });
        e.mails.push({ recipient: 'two@example.com', text: 'job_1' });
        e.mails.push({ recipient: 'one@example.com', text: 'job_2' });
      },
    ],
    ['I5: obj_1 is still needed and its bytes are gone', (e) => e.objectFiles.clear()],
    [
      'I5: obj_1 is still needed and is deleted',
      (e) => {
        Object.assign(e.analyses[0]!, { retain_source: false, status: 'processing' });
        Object.assign(e.objects[0]!, { status: 'deleted' });
        e.objectFiles.clear();
      },
    ],
    ['I5: obj_1 has 1 bytes instead of 5', (e) => e.objectFiles.set('a', Buffer.from('x'))],
    ['I5: obj_1 has bytes other than those received', (e) => e.objectFiles.set('a', Buffer.from('AUDIO'))],
    ['I5: b is a file without a row', (e) => e.objectFiles.set('b', BYTES)],
    [
      'I5: obj_1 was deleted and its bytes still exist',
      (e) => Object.assign(e.objects[0]!, { status: 'deleted' }),
    ],
    ['I5: job_1 points to no object', (e) => e.objects.splice(0)],
    [
      'I6: job_1: progress went back from 0.5 to 0.2',
      (e) => e.events.splice(3, 0, { ...e.events[2]!, metadata: { progress: 0.2 } }),
    ],
    ['I6: job_1: analysis.progress after its end', (e) => e.events.push({ ...e.events[2]! })],
    ['I6: job_1: job.started after its end', (e) => e.events.push({ ...e.events[1]! })],
    ['I6: job_1: source.downloaded after its end', (e) => writeAfter('job.canceled', 'source.downloaded', e)],
    ['I6: job_1: audio.decoded after its end', (e) => writeAfter('job.failed', 'audio.decoded', e)],
    [
      'I6: job_1: audio.decoded twice in one attempt',
      (e) => e.events.splice(2, 0, ...Array(2).fill({ ...e.events[1]!, event_type: 'audio.decoded' })),
    ],
    ['I7: decoder 7 still runs', (e) => e.decoderPids.push(7)],
    ['I7: earshot-decode-x was left behind', (e) => e.decoderFolders.push('earshot-decode-x')],
    ['I7: a process crashed; see the logs', (e) => Object.assign(e, { logs: '{"level":60}' })],
    ['I7: engine or PDF writer 7 outlived its parent', (e) => e.orphanPids.push(7)],
    [
      'I8: operation 2: one got 200 for GET /v1/analyses/job_9',
      (e) => Object.assign(e.history[2]!, { status: 200, phase: 'ok' }),
    ],
    [
      'I8: operation 1 (url): one was shown data of two',
      (e) => Object.assign(e.history[1]!, { leakedTenant: 'two' }),
    ],
    ["I8: a customer's URL led to 127.0.0.2:80", (e) => e.canaryConnections.push('127.0.0.2:80')],
    ['I8: one has 0 owners', (e) => Object.assign(e.members[1]!, { role: 'admin' })],
    [
      'I8: guest@example.com is a member of one with 0 accepted invitations',
      (e) => Object.assign(e.invitations[0]!, { accepted: false }),
    ],
    ['I8: guest@example.com accepted the invitation of one and is not a member', (e) => e.members.splice(1)],
    ['I8: guest@example.com joined and is not a member', (e) => e.members.splice(1)],
    [
      'I8: ws_1 was transferred to usr_1 and is owned by usr_2',
      (e) => Object.assign(e.audit[0]!.metadata, { to: 'usr_1' }),
    ],
    ['I8: usr_1 transferred ws_1, which usr_2 owned', (e) => e.audit.push(e.audit[0]!)],
    ['I9: a planted secret is in logs', (e) => e.secretsFound.push('logs')],
  ];
  it.each(FAULTS)('finds: %s', async (violation, corrupt) => {
    const evidence = goodEvidence();
    corrupt(evidence);
    const found = (await check(evidence)).map(({ invariant, message }) => `${invariant}: ${message}`);
    expect(found).toContain(violation);
  });

  const allowed: [what: string, change: (evidence: Evidence) => void][] = [
    [
      'an unknown submission that created all of its jobs',
      (e) => Object.assign(e.history[1]!, { phase: 'unknown', jobIds: [] }),
    ],
    [
      'an unknown submission that created none of its jobs',
      (e) => e.history.push(entry(7, 'batch', { phase: 'unknown', requestedJobCount: 3 })),
    ],
    [
      'a second attempt that repeats the steps of the first from the beginning',
      (e) => {
        const [, started, progressed] = e.events as [EventRow, EventRow, EventRow];
        const decoded = { ...started, event_type: 'audio.decoded' };
        e.events.splice(3, 0, decoded, started, decoded, { ...progressed, metadata: { progress: 0.1 } });
      },
    ],
    [
      'the start of another job after the end of one',
      (e) => e.events.push({ ...e.events[0]!, analysis_id: 'job_2' }),
    ],
    [
      'audio that is deleted after the end of its job',
      (e) => e.events.push({ ...e.events[3]!, event_type: 'source.deleted' }),
    ],
    [
      'a call that was refused before another one was accepted',
      (e) => e.calls.unshift({ ...e.calls[0]!, behaviour: 'refuse' }),
    ],
    ['a call that was accepted slowly', (e) => Object.assign(e.calls[0]!, { behaviour: 'slow' })],
    [
      'events at a further endpoint and at the own URL of a job, each signed with its secret',
      (e) => {
        e.tenants[0]!.furtherEndpoints.push(FURTHER);
        Object.assign(e.analyses[0]!, { webhook_url: 'http://sink/own/one' });
        e.deliveries.push({ ...e.deliveries[0]!, id: 'whd_2', endpoint_id: 'whe_2' });
        e.deliveries.push({ ...e.deliveries[0]!, id: 'whd_3', endpoint_id: null });
        e.calls.push(callTo('/endpoint/one/1', 'whd_2', FURTHER.secret));
        e.calls.push(callTo('/own/one', 'whd_3', JOB_SECRET));
      },
    ],
    [
      'a mail to the person who submitted the job',
      (e) => {
        Object.assign(e.analyses[0]!, { created_by_kind: 'user' });
        e.mails.push({ recipient: 'one@example.com', text: 'job_1 is done' });
      },
    ],
    [
      'a deleted job without a result, events, deliveries, a mail and bytes',
      (e) => {
        e.history.push(DELETED);
        Object.assign(e.analyses[0]!, {
          deleted_at: new Date(AT_MS),
          has_result: false,
          created_by_kind: 'user',
        });
        for (const gone of [e.events, e.deliveries, e.calls]) gone.splice(0);
        e.objectFiles.clear();
      },
    ],
    [
      'a failed job that was refunded and not reported to the meter',
      (e) => {
        Object.assign(e.analyses[0]!, { status: 'failed', has_result: false });
        Object.assign(e.events[3]!, { event_type: 'job.failed' });
        Object.assign(e.deliveries[0]!, { event_type: 'analysis.failed' });
        e.ledger.push({ ...e.ledger[1]!, entry: 'refund', amount: 1 });
        Object.assign(e.balances[0]!, { used: 0 });
        for (const none of [e.meterEvents, e.meterReports]) none.splice(0);
      },
    ],
    [
      'a job that is not reported to the meter, of a tenant that is not metered',
      (e) => {
        Object.assign(e.tenants[0]!, { metered: false });
        for (const none of [e.meterEvents, e.meterReports]) none.splice(0);
      },
    ],
    [
      'other sums in another period and in another workspace',
      (e) => {
        for (const other of [{ period: 'q' }, { workspace_id: 'ws_2' }]) {
          e.ledger.push({ ...e.ledger[0]!, ...other, amount: 7 });
          e.balances.push({ ...e.balances[0]!, ...other, granted: 7, used: 0 });
        }
      },
    ],
    [
      'an older payment event, and the first of a subscription',
      (e) => {
        e.paymentEvents.push({ ...e.paymentEvents[0]!, id: 'evt_0', version: 3 });
        e.audit.push({ ...e.audit[1]! });
        e.audit.push({ ...e.audit[1]!, metadata: { event_type: 'customer.subscription.created' } });
      },
    ],
    [
      'another workspace with its founder, an invitation and a transfer',
      (e) => {
        e.tenants.push({ ...e.tenants[0]!, name: 'two', workspaceId: 'ws_2', email: 'two@example.com' });
        const owner = { workspace_id: 'ws_2', user_id: 'usr_3', email: 'two@example.com', role: 'owner' };
        e.members.push(owner, { ...e.members[1]!, workspace_id: 'ws_2', role: 'admin' });
        e.invitations.push({ ...e.invitations[0]!, workspace_id: 'ws_2' });
        e.audit.push({ ...e.audit[0]!, workspace_id: 'ws_2', metadata: { from: 'usr_2', to: 'usr_3' } });
      },
    ],
    [
      'a job whose audio never arrived',
      (e) => {
        Object.assign(e.analyses[0]!, { storage_object_id: null });
        e.objects.splice(0);
        e.objectFiles.clear();
      },
    ],
    ['an event that was reported to the meter twice', (e) => e.meterEvents.push(e.meterEvents[0]!)],
    [
      'a job that is shown while its deletion is under way',
      (e) =>
        e.history.push(
          entry(6, 'delete', { phase: 'invoke', target: 'job_1' }),
          entry(7, 'read', { phase: 'invoke' }),
          entry(7, 'read', { seenStatuses: { job_1: 'completed' } }),
        ),
    ],
    [
      'bytes that are gone once no analysis needs them',
      (e) => {
        Object.assign(e.analyses[0]!, { retain_source: false });
        e.objectFiles.clear();
      },
    ],
    ['a probe without an answer', (e) => Object.assign(e.history[2]!, { phase: 'unknown', status: null })],
  ];
  it.each(allowed)('allows %s', async (_what, change) => {
    const evidence = goodEvidence();
    change(evidence);
    expect(await check(evidence)).toEqual([]);
  });
});
