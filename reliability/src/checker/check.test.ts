import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { check } from './check.ts';
import type { Evidence } from './evidence.ts';

/** One job of one tenant that went well, told once; then one thing is made wrong at a time. */

const SECRET = `whsec_${Buffer.from('a secret of the receiver').toString('base64')}`;
const BYTES = Buffer.from('audio');
const AT_MS = Date.UTC(2026, 0, 1);
const LEFT_OVER = { kind: 'analysis.run', state: 'queued', payload: {}, last_error: null };

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
  const event = (id: string, event_type: string, metadata = {}) => ({
    id,
    analysis_id: 'job_1',
    event_type,
    metadata,
  });
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
      { atMs: AT_MS, op: 2, phase: 'failed', kind: 'probe', tenant: 'one', target: 'job_9', status: 404 },
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
      event('1', 'job.queued'),
      event('2', 'job.started'),
      event('3', 'analysis.progress', { progress: 0.5 }),
      event('4', 'job.completed'),
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
  it('finds nothing wrong with a run in which nothing went wrong', async () => {
    expect(await check(goodEvidence())).toEqual([]);
  });

  const WRONGS: [invariant: string, what: string, spoil: (evidence: Evidence) => void][] = [
    ['I1', 'a job that is lost', (e) => e.analyses.splice(0)],
    ['I1', 'a job that never ends', (e) => Object.assign(e.analyses[0]!, { status: 'processing' })],
    ['I1', 'two ends', (e) => e.events.push({ ...e.events[3]!, event_type: 'job.failed' })],
    ['I1', 'a result that is missing', (e) => Object.assign(e.analyses[0]!, { has_result: false })],
    [
      'I1',
      'an end that was shown differently',
      (e) => Object.assign(e.history[1]!, { seen: { job_1: 'failed' } }),
    ],
    ['I1', 'a queue entry that is left over', (e) => e.jobs.push(LEFT_OVER)],
    ['I1', 'a mail that was never sent', (e) => Object.assign(e, { unsentMailCount: 1 })],
    ['I2', 'a second job for one key', (e) => e.analyses.push({ ...e.analyses[0]!, id: 'job_2' })],
    ['I2', 'a job for a no', (e) => Object.assign(e.history[1]!, { phase: 'failed', jobIds: [] })],
    ['I3', 'a second charge', (e) => e.ledger.push(e.ledger[1]!)],
    [
      'I3',
      'a refund of what was delivered',
      (e) => e.ledger.push({ ...e.ledger[1]!, entry: 'refund', amount: 1 }),
    ],
    ['I3', 'a balance that its entries do not add up to', (e) => Object.assign(e.balances[0]!, { used: 2 })],
    ['I3', 'a use that the meter was never told', (e) => e.meterEvents.splice(0)],
    ['I3', 'a payment event without effect', (e) => e.audit.splice(1)],
    ['I3', 'a payment event with two effects', (e) => e.audit.push(e.audit[1]!)],
    ['I3', 'a payment event that was taken and lost', (e) => e.paymentEvents.splice(0)],
    ['I3', 'an account behind its events', (e) => Object.assign(e.billing[0]!, { subscription_version: 3 })],
    ['I4', 'an event that was never made', (e) => e.deliveries.splice(0)],
    ['I4', 'an event that nobody took', (e) => Object.assign(e.calls[0]!, { behaviour: 'refuse' })],
    ['I4', 'other bytes than were promised', (e) => Object.assign(e.deliveries[0]!, { body: '{}' })],
    [
      'I4',
      'a signature of another body',
      (e) => Object.assign(e.calls[0]!, { body: `${e.calls[0]!.body} ` }),
    ],
    ['I4', 'a call to an endpoint of nobody', (e) => Object.assign(e.calls[0]!, { path: '/endpoint/one/9' })],
    ['I4', 'a person who was not mailed', (e) => Object.assign(e.analyses[0]!, { created_by_kind: 'user' })],
    ['I5', 'bytes that are gone', (e) => e.objectFiles.clear()],
    ['I5', 'bytes that are others', (e) => e.objectFiles.set('a', Buffer.from('AUDIO'))],
    ['I5', 'a file of nobody', (e) => e.objectFiles.set('b', BYTES)],
    [
      'I6',
      'progress that goes back',
      (e) => e.events.splice(3, 0, { ...e.events[2]!, metadata: { progress: 0.2 } }),
    ],
    ['I6', 'a word after the end', (e) => e.events.push({ ...e.events[2]! })],
    ['I7', 'a decoder that still runs', (e) => e.decoderPids.push(7)],
    ['I7', 'a folder of a decoder', (e) => e.decoderFolders.push('earshot-decode-x')],
    ['I7', 'a process that an error ended', (e) => Object.assign(e, { logs: '{"level":60}' })],
    ['I7', 'an engine that outlived its worker', (e) => e.orphanPids.push(7)],
    [
      'I8',
      'an answer about what is not theirs',
      (e) => Object.assign(e.history[2]!, { status: 200, phase: 'ok' }),
    ],
    ['I8', 'another’s marker in an answer', (e) => Object.assign(e.history[1]!, { foreign: 'two' })],
    ['I8', 'a way into the inner network', (e) => e.canaryConnections.push('127.0.0.2:80')],
    ['I8', 'a workspace without an owner', (e) => Object.assign(e.members[1]!, { role: 'admin' })],
    ['I8', 'a member whom nobody let in', (e) => Object.assign(e.invitations[0]!, { accepted: false })],
    ['I8', 'a member who was let in and is not', (e) => e.members.splice(1)],
    [
      'I8',
      'an owner to whom nobody handed over',
      (e) => Object.assign(e.audit[0]!.metadata, { to: 'usr_1' }),
    ],
    ['I9', 'a secret in a log', (e) => e.secretsFound.push('logs')],
  ];
  it.each(WRONGS)('%s: sees %s', async (invariant, _what, spoil) => {
    const evidence = goodEvidence();
    spoil(evidence);
    expect((await check(evidence)).map((violation) => violation.invariant)).toContain(invariant);
  });
});
