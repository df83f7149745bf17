import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Facts } from './history.ts';
import { createPeople, type People } from './people.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

const FOUNDER = { user_id: 'usr_0', email: 'founder@example.com', token: 'token of usr_0' };
const tenant = {
  name: 'one',
  workspaceId: 'ws_1',
  email: FOUNDER.email,
  sessionToken: FOUNDER.token,
} as Tenant;

/** Whether the service makes the transfers that are requested, and how it answers. */
type Mode = 'answer' | 'fail' | 'make, no answer once' | 'make, no answer' | 'no answer';
let mode: Mode = 'answer';
let members = [FOUNDER];
let owner = FOUNDER;
/** The payment events that the service has received. */
let events: { id: string; created: number }[] = [];

function respond(url: string, token: string, body: { email?: string }): { status: number; body: object } {
  const userId = /members\/(.+)\/transfer-ownership$/.exec(url)?.[1];
  if (userId !== undefined) {
    if (mode === 'fail') return { status: 500, body: {} };
    if (token !== owner.token) return { status: 403, body: {} };
    if (mode !== 'no answer') owner = members.find(({ user_id }) => user_id === userId)!;
    return { status: 200, body: {} };
  }
  if (url.endsWith('/team')) {
    const roleOf = (member: typeof FOUNDER) => (member === owner ? 'owner' : 'admin');
    return { status: 200, body: { members: members.map((one) => ({ ...one, role: roleOf(one) })) } };
  }
  if (url.endsWith('/invitations')) {
    const user_id = `usr_${members.length}`;
    members.push({ user_id, email: body.email!, token: `token of ${user_id}` });
    return { status: 201, body: {} };
  }
  if (url.endsWith('/webhooks/stripe')) {
    events.push(body as (typeof events)[number]);
    return { status: 200, body: {} };
  }
  if (url.endsWith('/start')) return { status: 200, body: { challenge_id: 'cha_1' } };
  return { status: 200, body: { access_token: members.at(-1)!.token } };
}

const server = createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString();
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const answer = respond(request.url!, token, JSON.parse(text || '{}'));
  const isTransfer = request.url!.endsWith('/transfer-ownership');
  if (!isTransfer || !mode.includes('no answer'))
    return void response.writeHead(answer.status).end(JSON.stringify(answer.body));
  if (mode === 'make, no answer once') mode = 'answer';
  request.socket.destroy();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close().closeAllConnections());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

let entries: Facts[];
let people: People;
beforeEach(() => {
  [mode, members, owner, entries, events] = ['answer', [FOUNDER], FOUNDER, [], []];
  const random = { fork: () => random, integer: () => 0 };
  let op = 0;
  people = createPeople({
    random,
    history: { newOperation: () => ++op, record: (facts: Facts) => entries.push(facts) },
    fleet: { anyUrl: async () => url },
    mail: { codesFor: () => ['1'] },
    stripe: { customerOf: (workspaceId: string) => `customer of ${workspaceId}` },
  } as unknown as World);
});

/** The clock moves by two thirds of RETRY_MS_MAX (guests.ts) at each look: the second try is the last. */
async function transferInVain(): Promise<unknown> {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 40_000));
  try {
    return await people.transferOwnership(tenant);
  } finally {
    clock.mockRestore();
  }
}

it('transfers the ownership to a second member, and back the next time', async () => {
  expect(await people.transferOwnership(tenant)).toBe('ok');
  expect(owner.user_id).toBe('usr_1');
  expect(await people.transferOwnership(tenant)).toBe('ok');
  expect([owner.user_id, members.length]).toEqual(['usr_0', 2]);
  expect(entries.at(-1)).toMatchObject({ kind: 'handover', target: 'usr_0', phase: 'ok', status: 200 });
});

it('knows by the refusal of a repeated try that a transfer without an answer was made', async () => {
  await people.transferOwnership(tenant);
  mode = 'make, no answer once';
  expect(await people.transferOwnership(tenant)).toBe('ok');
  expect(entries.at(-1)).toMatchObject({ phase: 'ok', status: 403 });
  expect(await people.transferOwnership(tenant)).toBe('ok');
});

it('does not know the outcome of a transfer that fails every time', async () => {
  await people.transferOwnership(tenant);
  mode = 'fail';
  expect(await transferInVain()).toBe('unknown');
  expect(entries.at(-1)).toMatchObject({ kind: 'handover', phase: 'unknown', status: 500 });
});

it.each(['make, no answer', 'no answer'] as const)(
  'after a transfer of unknown outcome the present owner makes the next: %s',
  async (how) => {
    await people.transferOwnership(tenant);
    mode = how;
    expect(await transferInVain()).toBe('unknown');
    const before = owner;
    mode = 'answer';
    expect(await people.transferOwnership(tenant)).toBe('ok');
    expect(owner).not.toBe(before);
  },
);

it('sends payment events that are later each time, and every other one twice', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000_000_000);
  onTestFinished(() => clock.mockRestore());
  const customer = { ...tenant, metered: true };
  expect([await people.pay(customer), await people.pay(customer)]).toEqual(['ok', 'ok']);
  expect(events.map(({ id, created }) => [id, created])).toEqual([
    ['evt_op1', 1_000_001],
    ['evt_op2', 1_000_002],
    ['evt_op2', 1_000_002],
  ]);
  expect(entries.filter(({ phase }) => phase === 'ok').map(({ target }) => target)).toEqual([
    'evt_op1',
    'evt_op2',
  ]);
});

it('sends no payment event for a tenant on the free plan', async () => {
  expect(await people.pay({ ...tenant, metered: false })).toBe('failed');
  expect([events, entries]).toEqual([[], []]);
});
