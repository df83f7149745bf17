import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../history.ts';
import { check } from './check.ts';
import type { Evidence } from './evidence.ts';

/** The evidence of one job of one tenant that went well. Each test spoils one thing in it. */

const SECRET = `whsec_${Buffer.from('a secret of the receiver').toString('base64')}`;
const BYTES = Buffer.from('audio');
const AT_MS = Date.UTC(2026, 0, 1);
const LEFT_OVER = { kind: 'analysis.run', state: 'queued', payload: {}, last_error: null };
const DELETED: Entry = { atMs: AT_MS, op: 6, phase: 'ok', kind: 'delete', tenant: 'one', target: 'job_1' };

/** After the deletion. */
const read = (op: number, seen: Record<string, string>): Entry => ({
  atMs: AT_MS + 1,
  op,
  phase: 'ok',
  kind: 'read',
  tenant: 'one',
  seen,
});

function goodEvidence(): Evidence {
  const tenant = {
    name: 'one',
    marker: 'mark-one',
    email: 'one@example.com',
    workspaceId: 'ws_1',
    apiKey: 'key',
    sessionToken: 'token',
    webhookSecret: SECRET,
    endpoint: { id: 'whe_1', url: 'http://sink/endpoint/one', secret: SECRET },
    furtherEndpoints: [],
    ownUrl: 'http://sink/own/one',
    metered: true,
  };
  const body = JSON.stringify({ type: 'analysis.completed', timestamp: '', data: { job_id: 'job_1' } });
  const seconds = String(AT_MS / 1000);
  const key = Buffer.from(SECRET.slice(6), 'base64');
  const mac = createHmac('sha256', key).update(`whd_1.${seconds}.${body}`).digest('base64');
  const event = (event_type: string, metadata = {}) => ({ analysis_id: 'job_1', event_type, metadata });
  return {
    history: [
      { atMs: AT_MS, op: 1, phase: 'invoke', kind: 'url', tenant: 'one', key: 'k', jobsAsked: 1 },
      {
        atMs: AT_MS,
        op: 1,
        phase: 'ok',
        kind: 'url',
        tenant: 'one',
        key: 'k',
        jobsAsked: 1,
        jobIds: ['job_1'],
      },
      {
        atMs: AT_MS,
        op: 2,
        phase: 'failed',
        kind: 'probe',
        tenant: 'one',
        target: 'job_9',
        status: 404,
        reason: 'GET /v1/analyses/job_9',
      },
      { atMs: AT_MS, op: 3, phase: 'ok', kind: 'join', tenant: 'one', target: 'guest@example.com' },
      { atMs: AT_MS, op: 4, phase: 'ok', kind: 'handover', tenant: 'one', target: 'usr_2' },
      { atMs: AT_MS, op: 5, phase: 'ok', kind: 'payment', tenant: 'one', target: 'evt_1' },
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
        body,
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
    calls: [
      {
        atMs: AT_MS,
        path: '/endpoint/one',
        id: 'whd_1',
        headers: { 'webhook-id': 'whd_1', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${mac}` },
        body,
        behaviour: 'take',
      },
    ],
    meterEvents: [{ identifier: 'job_1', customerId: 'cus_1', answered: true }],
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

  const FAULTS: [violation: string, spoil: (evidence: Evidence) => void][] = [
    ['I1: job_1 was accepted and is lost', (e) => e.analyses.splice(0)],
    [
      'I1: job_1 is still processing: and no job is left for it',
      (e) => Object.assign(e.analyses[0]!, { status: 'processing' }),
    ],
    [
      'I1: job_1 is completed but its log says job.completed, job.failed',
      (e) => e.events.push({ ...e.events[3]!, event_type: 'job.failed' }),
    ],
    [
      'I1: job_1 is completed and lacks a result',
      (e) => Object.assign(e.analyses[0]!, { has_result: false }),
    ],
    [
      'I1: job_1 is completed and still at the stage tags',
      (e) => Object.assign(e.analyses[0]!, { stage: 'tags' }),
    ],
    [
      'I1: job_1 was shown as failed and is completed',
      (e) => Object.assign(e.history[1]!, { seen: { job_1: 'failed' } }),
    ],
    [
      'I1: job_1 was shown as completed and later as failed',
      (e) => e.history.push(read(7, { job_1: 'completed' }), read(8, { job_1: 'failed' })),
    ],
    [
      'I1: job_1 was deleted and is still shown',
      (e) => e.history.push(DELETED, { ...read(7, {}), phase: 'invoke' }, read(7, { job_1: 'completed' })),
    ],
    ['I1: job_1 was deleted and is there', (e) => e.history.push(DELETED)],
    [`I1: A job is left over: ${JSON.stringify(LEFT_OVER)}`, (e) => e.jobs.push(LEFT_OVER)],
    ['I1: mails that were never sent: 1', (e) => Object.assign(e, { unsentMailCount: 1 })],
    [
      'I2: operation 1 (url, ok, key k) asked for 1 and made 2: job_1, job_2',
      (e) => e.analyses.push({ ...e.analyses[0]!, id: 'job_2' }),
    ],
    [
      'I2: operation 1 (url, failed, key k) asked for 1 and made 1: job_1',
      (e) => Object.assign(e.history[1]!, { phase: 'failed', jobIds: [] }),
    ],
    ['I3: job_1 was charged 2 times', (e) => e.ledger.push(e.ledger[1]!)],
    [
      'I3: job_1 is completed and was refunded 1 times',
      (e) => e.ledger.push({ ...e.ledger[1]!, entry: 'refund', amount: 1 }),
    ],
    ['I3: ws_1 p: the ledger says 9, the balance 8', (e) => Object.assign(e.balances[0]!, { used: 2 })],
    ['I3: ws_1 p: 11 used of 10', (e) => Object.assign(e.balances[0]!, { used: 11 })],
    ['I3: job_1 was never told to the meter', (e) => e.meterEvents.splice(0)],
    [
      'I3: the meter was told of job_9, which is not to be billed',
      (e) => e.meterEvents.push({ ...e.meterEvents[0]!, identifier: 'job_9' }),
    ],
    [
      'I3: the report of job_1 is still open',
      (e) => Object.assign(e.meterReports[0]!, { reported_at: null }),
    ],
    ['I3: ws_1: 1 payment events had 0 effects', (e) => e.audit.splice(1)],
    ['I3: ws_1: 1 payment events had 2 effects', (e) => e.audit.push(e.audit[1]!)],
    ['I3: the payment event evt_1 was taken and is gone', (e) => e.paymentEvents.splice(0)],
    [
      'I3: ws_1: the newest payment event is 13, the account at 3',
      (e) => Object.assign(e.billing[0]!, { subscription_version: 3 }),
    ],
    ['I3: ws_1: the newest payment event is 13, the account at none', (e) => e.billing.splice(0)],
    ['I4: job_1 has 0 deliveries for 1 targets', (e) => e.deliveries.splice(0)],
    [
      'I4: whd_1 says analysis.failed of job_1, which is completed',
      (e) => Object.assign(e.deliveries[0]!, { event_type: 'analysis.failed' }),
    ],
    ['I4: whd_1 is pending', (e) => Object.assign(e.deliveries[0]!, { status: 'pending' })],
    [
      'I4: whd_1 is delivered and no receiver took it',
      (e) => Object.assign(e.calls[0]!, { behaviour: 'refuse' }),
    ],
    [
      'I4: whd_1 was sent with other bytes than were promised',
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
      "I4: whd_1 was sent to /endpoint/two, which is nobody's",
      (e) => Object.assign(e.calls[0]!, { path: '/endpoint/two' }),
    ],
    [
      'I4: one was told of job_1, which is not theirs',
      (e) => Object.assign(e.analyses[0]!, { workspace_id: 'ws_2' }),
    ],
    ['I4: nobody was mailed about job_1', (e) => Object.assign(e.analyses[0]!, { created_by_kind: 'user' })],
    ['I5: obj_1 is needed and its bytes are gone', (e) => e.objectFiles.clear()],
    ['I5: obj_1 has 1 bytes instead of 5', (e) => e.objectFiles.set('a', Buffer.from('x'))],
    ['I5: obj_1 has other bytes than were received', (e) => e.objectFiles.set('a', Buffer.from('AUDIO'))],
    ['I5: b is a file without a row', (e) => e.objectFiles.set('b', BYTES)],
    [
      'I5: obj_1 was deleted and its bytes are there',
      (e) => Object.assign(e.objects[0]!, { status: 'deleted' }),
    ],
    ['I5: job_1 points to no object', (e) => e.objects.splice(0)],
    [
      'I6: job_1: progress went back from 0.5 to 0.2',
      (e) => e.events.splice(3, 0, { ...e.events[2]!, metadata: { progress: 0.2 } }),
    ],
    ['I6: job_1: analysis.progress after its end', (e) => e.events.push({ ...e.events[2]! })],
    [
      'I6: job_1: audio.decoded twice in one attempt',
      (e) => e.events.splice(2, 0, ...Array(2).fill({ ...e.events[1]!, event_type: 'audio.decoded' })),
    ],
    ['I7: decoder 7 still runs', (e) => e.decoderPids.push(7)],
    ['I7: earshot-decode-x was left behind', (e) => e.decoderFolders.push('earshot-decode-x')],
    [
      'I7: a process ended by an unexpected error; see the logs',
      (e) => Object.assign(e, { logs: '{"level":60}' }),
    ],
    ['I7: engine or PDF writer 7 outlived its process', (e) => e.orphanPids.push(7)],
    [
      'I8: operation 2: one got 200 for GET /v1/analyses/job_9',
      (e) => Object.assign(e.history[2]!, { status: 200, phase: 'ok' }),
    ],
    [
      'I8: operation 1 (url): one was shown something of two',
      (e) => Object.assign(e.history[1]!, { foreign: 'two' }),
    ],
    ["I8: a customer's URL led to 127.0.0.2:80", (e) => e.canaryConnections.push('127.0.0.2:80')],
    ['I8: one has 0 owners', (e) => Object.assign(e.members[1]!, { role: 'admin' })],
    [
      'I8: guest@example.com is in the workspace of one by 0 accepted invitations',
      (e) => Object.assign(e.invitations[0]!, { accepted: false }),
    ],
    ['I8: guest@example.com accepted the invitation of one and is not in', (e) => e.members.splice(1)],
    ['I8: guest@example.com was let in and is not a member', (e) => e.members.splice(1)],
    [
      "I8: ws_1 was handed to usr_1 and is usr_2's",
      (e) => Object.assign(e.audit[0]!.metadata, { to: 'usr_1' }),
    ],
    ["I8: usr_1 handed ws_1 over, which was usr_2's", (e) => e.audit.push(e.audit[0]!)],
    ['I9: a planted secret is in logs', (e) => e.secretsFound.push('logs')],
  ];
  it.each(FAULTS)('finds: %s', async (violation, spoil) => {
    const evidence = goodEvidence();
    spoil(evidence);
    const found = (await check(evidence)).map(({ invariant, message }) => `${invariant}: ${message}`);
    expect(found).toContain(violation);
  });
});
