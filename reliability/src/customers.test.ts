import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createCustomers } from './customers.ts';
import type { OperationKind } from './driver.ts';
import type { Facts } from './history.ts';
import type { Random } from './random.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

type Request = { method: string; url: string; key: string | null; credentials: string | null };

/** The answers that the service gives next, each in turn; it accepts a job when there are none left. */
let answers: { status: number; body: unknown }[] = [];
let requests: Request[] = [];
const server = createServer(({ method = '', url = '', headers }, response) => {
  const credentials = headers['x-api-key'] ?? headers.authorization ?? null;
  requests.push({
    method,
    url,
    key: headers['idempotency-key']?.toString() ?? null,
    credentials: credentials === null ? null : String(credentials),
  });
  const { status, body } = answers.shift() ?? { status: 202, body: { job_id: 'job_1' } };
  response.writeHead(status).end(JSON.stringify(body));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close().closeAllConnections());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const tenants = ['one', 'two'].map(
  (name) =>
    ({ name, marker: `mark-${name}`, apiKey: `key-${name}`, sessionToken: `token-${name}` }) as Tenant,
) as [Tenant, Tenant];
const [one] = tenants;

let entries: Facts[] = [];
let jobs: Map<string, string[]>;
let ended = false;
beforeEach(() => {
  [answers, requests, entries, ended] = [[], [], [], false];
  jobs = new Map(tenants.map(({ name }) => [name, []]));
});

/** Performs operation number `op` of tenant one, with an idempotency key or without, and returns its last entry. */
async function operate(kind: OperationKind, { op = 1, withKey = true, down = false } = {}): Promise<Facts> {
  // Draws the first of everything, and no waiting time.
  const random = { chance: () => withKey, integer: () => 0, pick: (items: unknown[]) => items[0] };
  const history = { newOperation: () => op, record: (facts: Facts) => entries.push(facts) };
  const anyUrl = async () => {
    if (down) throw new Error('down');
    return url;
  };
  const world = { history, tenants, seed: 's', origin: { url: 'http://origin' }, fleet: { anyUrl } };
  const acceptedBefore = jobs.get('one')!.length;
  const counts = { acceptedJobs: 0 };
  const state = { random: random as unknown as Random, jobs, counts, hasEnded: () => ended };
  const phase = await createCustomers(world as unknown as World, state).operate(kind, one);
  const last = entries.at(-1)!;
  expect(last.phase).toBe(phase);
  expect(counts.acceptedJobs).toBe(jobs.get('one')!.length - acceptedBefore);
  return last;
}

it('repeats a submission with its key until the answer is definite, and remembers its job', async () => {
  answers = [503, 429].map((status) => ({ status, body: {} }));
  answers.push({ status: 409, body: { code: 'idempotency_in_progress' } });
  expect(await operate('url')).toMatchObject({
    phase: 'ok',
    status: 202,
    jobIds: ['job_1'],
    key: 's-op-1-0',
  });
  expect(requests.map(({ key }) => key)).toEqual(Array(4).fill('s-op-1-0'));
  expect(entries.map(({ phase }) => phase)).toEqual(['invoke', 'ok']);
  expect(jobs.get('one')).toEqual(['job_1']);
});

it('sends a submission without a key once, and does not know its outcome after a failure', async () => {
  answers = [{ status: 500, body: {} }];
  expect(await operate('url', { withKey: false })).toMatchObject({
    phase: 'unknown',
    status: 500,
    key: null,
  });
  expect(requests).toHaveLength(1);
});

it('stops repeating when the driver has ended', async () => {
  ended = true;
  answers = [{ status: 503, body: {} }];
  expect(await operate('url')).toMatchObject({ phase: 'unknown' });
  expect(requests).toHaveLength(1);
});

it('submits every other operation again with the same key, and records it once', async () => {
  await operate('url', { op: 2 });
  expect(requests.map(({ key }) => key)).toEqual(['s-op-2-0', 's-op-2-0']);
  expect(jobs.get('one')).toEqual(['job_1']);
});

it('records all jobs of a batch, and a refusal as failed', async () => {
  answers = [{ status: 202, body: { jobs: [{ job_id: 'job_1' }, { job_id: 'job_2' }] } }];
  expect(await operate('batch')).toMatchObject({ jobIds: ['job_1', 'job_2'] });
  answers = [{ status: 402, body: { code: 'quota_exceeded' } }];
  expect(await operate('url')).toMatchObject({ phase: 'failed', status: 402, code: 'quota_exceeded' });
});

it('sends the key of the tenant with an upload, but no credentials to an object store', async () => {
  answers = [
    { status: 201, body: { id: 'obj_1', signed_url: `${url}/store/obj_1?sig=1` } },
    { status: 200, body: {} },
    { status: 202, body: { id: 'job_1' } },
  ];
  expect(await operate('object')).toMatchObject({ phase: 'ok', jobIds: ['job_1'] });
  expect(requests.map((request) => [request.method, request.url, request.credentials])).toEqual([
    ['POST', '/v1/storage-objects', 'key-one'],
    ['PUT', '/store/obj_1?sig=1', null],
    ['POST', '/v1/analyses', 'key-one'],
  ]);
});

it('submits by session with the token of the tenant, and notices the marker of another in the answer', async () => {
  answers = [{ status: 202, body: { id: 'job_1', name: 'mark-two' } }];
  expect(await operate('session')).toMatchObject({ phase: 'ok', leakedTenant: 'two' });
  expect(requests).toMatchObject([{ url: '/v1/analyses', credentials: 'Bearer token-one' }]);
});

it('records the statuses that a list shows, and another tenant whose marker is in it', async () => {
  answers = [
    {
      status: 200,
      body: [
        { id: 'job_1', status: 'failed' },
        { id: 'job_2', name: 'mark-two' },
      ],
    },
  ];
  expect(await operate('list')).toMatchObject({ seenStatuses: { job_1: 'failed' }, leakedTenant: 'two' });
  answers = [{ status: 200, body: [{ id: 'job_1', status: 'failed', name: 'mark-one' }] }];
  expect(await operate('list')).toMatchObject({ leakedTenant: null });
});

it("probes another tenant's job with its own credentials", async () => {
  jobs.get('two')?.push('job_9');
  answers = [{ status: 404, body: {} }];
  const entry = await operate('probe');
  expect(entry).toMatchObject({
    phase: 'failed',
    status: 404,
    target: 'job_9',
    reason: 'GET /v1/analyses/job_9',
  });
  expect(requests).toMatchObject([{ url: '/v1/analyses/job_9', credentials: 'key-one' }]);
});

it.each([
  ['cancel', 'POST', '/v1/analyses/job_5/cancel'],
  ['delete', 'DELETE', '/v1/analyses/job_5'],
  ['read', 'GET', '/v1/analyses/job_5'],
] as const)('%s sends %s %s', async (kind, method, path) => {
  jobs.get('one')?.push('job_5');
  answers = [{ status: 200, body: { id: 'job_5', status: 'canceled' } }];
  expect(await operate(kind)).toMatchObject({
    phase: 'ok',
    target: 'job_5',
    seenStatuses: { job_5: 'canceled' },
  });
  expect(requests).toMatchObject([{ method, url: path }]);
});

it('does not know the outcome when no process takes requests', async () => {
  expect(await operate('list', { down: true })).toMatchObject({
    phase: 'unknown',
    reason: 'no process takes requests',
  });
});
