import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { createGuests, isDecided } from './guests.ts';
import type { Facts } from './history.ts';
import { createRandom } from './random.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

it.each([
  ['an acceptance', 200, null, true],
  ['a refusal', 409, 'conflict', true],
  ['a failure', 500, 'internal', false],
  ['a rate limit', 429, 'rate_limited', false],
  ['a challenge without tries', 429, 'too_many_attempts', true],
] as const)('%s is decided, or repeated', (_, status, code, decided) => {
  expect(isDecided({ kind: 'answer', status, text: '', body: null, code })).toBe(decided);
});

it('no answer is repeated', () => {
  expect(isDecided({ kind: 'unknown', reason: 'ECONNRESET' })).toBe(false);
});

type Request = { path: string; from: string; authorization: string | null; body: Record<string, string> };
const requests: Request[] = [];
/** Accepts an invitation, and of all codes only `right`. */
const server = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Record<string, string>;
  const { 'x-forwarded-for': from, authorization = null } = request.headers;
  requests.push({ path: request.url!, from: String(from), authorization, body });
  if (request.url!.endsWith('/invitations')) return void response.writeHead(201).end('{}');
  if (request.url!.endsWith('/start')) return void response.end('{"challenge_id":"chl_1"}');
  const isRight = body.code === 'right';
  response.writeHead(isRight ? 200 : 400).end(isRight ? '{"access_token":"token"}' : '{}');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close().closeAllConnections());

it('a guest is invited by the owner, and tries every mailed code once, from an IP address of its own', async () => {
  const entries: Facts[] = [];
  const random = createRandom('guests');
  const world = {
    history: { newOperation: () => 7, record: (facts: Facts) => entries.push(facts) },
    fleet: { anyUrl: async () => `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    mail: { codesFor: () => ['late', 'late', 'right'] },
  } as unknown as World;
  const tenant = { name: 'one', sessionToken: 'token of the owner' } as Tenant;
  const email = 'guest-op7@example.com';
  expect(await createGuests(world, random).admit(tenant)).toEqual({ phase: 'ok', email, token: 'token' });
  expect(requests.map(({ path, authorization, body }) => [path, authorization, body])).toEqual([
    ['/v1/account/team/invitations', 'Bearer token of the owner', { email }],
    ['/v1/auth/email/start', null, { email }],
    ['/v1/auth/email/verify', null, { challenge_id: 'chl_1', code: 'late' }],
    ['/v1/auth/email/verify', null, { challenge_id: 'chl_1', code: 'right' }],
  ]);
  const [owner, ...guest] = requests.map(({ from }) => from);
  expect(owner).toBe('127.0.0.1');
  expect(guest).toEqual(Array(3).fill(expect.stringMatching(/^198\.51\.\d+\.\d+$/)));
  expect(new Set(guest).size).toBe(1);
  expect(entries.map(({ phase, target }) => [phase, target])).toEqual([
    ['invoke', email],
    ['ok', email],
  ]);
});
