import { bodyOf, CALL_MS_MAX, createGuests } from './guests.ts';
import type { Phase } from './history.ts';
import { callService } from './http-call.ts';
import { subscriptionEvent } from './stand-ins/stripe-stand-in.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

/** What people do beside analysing: they join a workspace, hand it over, and their payments arrive. */
export type People = {
  /** Somebody new is invited and signs in. */
  join(tenant: Tenant): Promise<Phase>;
  /** The owner makes another member the owner; the next time it goes back. */
  handOver(tenant: Tenant): Promise<Phase>;
  /** The payment provider tells something new of the subscription, every other time twice. */
  pay(tenant: Tenant): Promise<Phase>;
};

type Person = { userId: string; token: string };
type Estate = { owner: Person; heir: Person };

/** Sign-ins are limited by address: every guest comes from one of its own, as if through a proxy that is believed. */
export const PEOPLE_ENV = { TRUSTED_PROXIES: '127.0.0.1/32' };

/** The people of a world that was made with PEOPLE_ENV. */
export function createPeople(world: World): People {
  const { history } = world;
  const random = world.random.fork('people');
  const { call, insist, admit } = createGuests(world, random);
  const estates = new Map<string, Estate>();
  const paidSeconds = new Map<string, number>();

  async function join(tenant: Tenant): Promise<Phase> {
    return (await admit(tenant)).phase;
  }

  async function settle(tenant: Tenant): Promise<Estate | null> {
    const known = estates.get(tenant.name);
    if (known) return known;
    const { token, email } = await admit(tenant);
    if (token === null) return null;
    await insist(() => call('POST', `/v1/account/workspaces/${tenant.workspaceId}/session`, token));
    const { answer: team } = await insist(() => call('GET', '/v1/account/team', token));
    const members = bodyOf<{ members?: { user_id: string; email: string }[] }>(team)?.members ?? [];
    const owner = members.find((member) => member.email === tenant.email);
    const heir = members.find((member) => member.email === email);
    if (!owner || !heir) return null;
    const estate = {
      owner: { userId: owner.user_id, token: tenant.sessionToken },
      heir: { userId: heir.user_id, token },
    };
    estates.set(tenant.name, estate);
    return estate;
  }

  async function handOver(tenant: Tenant): Promise<Phase> {
    const estate = await settle(tenant);
    if (estate === null) return 'unknown';
    const { owner, heir } = estate;
    const facts = {
      op: history.newOperation(),
      kind: 'handover',
      tenant: tenant.name,
      target: heir.userId,
    };
    history.record({ ...facts, phase: 'invoke' });
    const path = `/v1/account/team/members/${heir.userId}/transfer-ownership`;
    const { answer, again } = await insist(() => call('POST', path, owner.token));
    if (answer.kind === 'unknown') {
      history.record({ ...facts, phase: 'unknown', reason: answer.reason });
      estates.delete(tenant.name);
      return 'unknown';
    }
    // Who is no longer the owner was heard the first time.
    const done = answer.status === 200 || (again && answer.status === 403);
    history.record({ ...facts, phase: done ? 'ok' : 'failed', status: answer.status });
    if (done) estates.set(tenant.name, { owner: heir, heir: owner });
    return done ? 'ok' : 'failed';
  }

  async function pay(tenant: Tenant): Promise<Phase> {
    // Everybody is a customer of the provider; what was never subscribed must not begin to be.
    const customerId = tenant.metered ? world.stripe.customerOf(tenant.workspaceId) : null;
    if (customerId === null) return 'failed';
    const op = history.newOperation();
    const createdSeconds = Math.max(
      Math.floor(Date.now() / 1000),
      (paidSeconds.get(tenant.name) ?? Math.floor(Date.now() / 1000)) + 1,
    );
    paidSeconds.set(tenant.name, createdSeconds);
    const id = `evt_op${op}`;
    const facts = { op, kind: 'payment', tenant: tenant.name, target: id };
    history.record({ ...facts, phase: 'invoke' });
    const tell = async () => {
      const { body, signature } = subscriptionEvent(customerId, { id, createdSeconds });
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      const url = `${await world.fleet.anyUrl(random.integer(0, 7))}/webhooks/stripe`;
      return callService(url, { method: 'POST', headers, body }, CALL_MS_MAX);
    };
    const { answer } = await insist(tell);
    if (createdSeconds % 2 === 0) await tell();
    const phase = answer.kind === 'answer' && answer.status === 200 ? 'ok' : 'unknown';
    history.record({ ...facts, phase, ...(answer.kind === 'answer' ? { status: answer.status } : {}) });
    return phase;
  }

  return { join, handOver, pay };
}
