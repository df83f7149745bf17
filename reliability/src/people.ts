import { bodyOf, CALL_MS_MAX, createGuests, isDecided } from './guests.ts';
import type { Phase } from './history.ts';
import { callService } from './http-call.ts';
import { subscriptionEvent } from './stand-ins/stripe-stand-in.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

/** What people do besides submitting analyses: they join a workspace, transfer its ownership, and pay. */
export type People = {
  /** A new person is invited and signs in. */
  join(tenant: Tenant): Promise<Phase>;
  /** The owner transfers the ownership to a second member, who transfers it back the next time. */
  transferOwnership(tenant: Tenant): Promise<Phase>;
  /** The payment provider sends an event about the subscription, and repeats it about every other time. */
  pay(tenant: Tenant): Promise<Phase>;
};

type Person = { userId: string; token: string };
/** The current owner, and the member who is next. */
type Ownership = { owner: Person; successor: Person };
type SecondMember = { email: string; token: string };
/** As the service lists the team. */
type Member = { user_id: string; email: string; role: string };

/** Lets the service believe the IP addresses of guests, which come in a header as from a proxy. */
export const PEOPLE_ENV = { TRUSTED_PROXIES: '127.0.0.1/32' };

/** The people of a world whose service runs with PEOPLE_ENV. */
export function createPeople(world: World): People {
  const { history } = world;
  const random = world.random.fork('people');
  const { call, retryUntilDecided, admit } = createGuests(world, random);
  const secondMembers = new Map<string, SecondMember>();
  const paidUnixSeconds = new Map<string, number>();

  async function join(tenant: Tenant): Promise<Phase> {
    return (await admit(tenant)).phase;
  }

  /** Who of the founder and a second member is the owner. That member is admitted the first time; null when that fails. */
  async function findOwnership(tenant: Tenant): Promise<Ownership | null> {
    const second = secondMembers.get(tenant.name) ?? (await admitSecondMember(tenant));
    if (second === null) return null;
    const tokens = new Map([
      [tenant.email, tenant.sessionToken],
      [second.email, second.token],
    ]);
    const { answer: team } = await retryUntilDecided(() => call('GET', '/v1/account/team', second.token));
    // The list begins with those who joined first, so both are on its first page.
    const members = bodyOf<{ members?: Member[] }>(team)?.members ?? [];
    const pair = members.flatMap(({ user_id: userId, email, role }) => {
      const token = tokens.get(email);
      return token === undefined ? [] : [{ userId, token, role }];
    });
    const owner = pair.find(({ role }) => role === 'owner');
    const successor = pair.find(({ role }) => role !== 'owner');
    if (!owner || !successor) return null;
    secondMembers.set(tenant.name, second);
    return { owner, successor };
  }

  async function admitSecondMember(tenant: Tenant): Promise<SecondMember | null> {
    const { token, email } = await admit(tenant);
    if (token === null) return null;
    await retryUntilDecided(() =>
      call('POST', `/v1/account/workspaces/${tenant.workspaceId}/session`, token),
    );
    return { email, token };
  }

  async function transferOwnership(tenant: Tenant): Promise<Phase> {
    const ownership = await findOwnership(tenant);
    if (ownership === null) return 'unknown';
    const { owner, successor } = ownership;
    const facts = {
      op: history.newOperation(),
      kind: 'handover',
      tenant: tenant.name,
      target: successor.userId,
    };
    history.record({ ...facts, phase: 'invoke' });
    const path = `/v1/account/team/members/${successor.userId}/transfer-ownership`;
    const { answer, repeated } = await retryUntilDecided(() => call('POST', path, owner.token));
    if (answer.kind === 'unknown') {
      history.record({ ...facts, phase: 'unknown', reason: answer.reason });
      return 'unknown';
    }
    const { status } = answer;
    // 403 for a repeated try: the first one was processed, and the caller is no longer the owner.
    const done = status === 200 || (repeated && status === 403);
    const phase = done ? 'ok' : isDecided(answer) ? 'failed' : 'unknown';
    history.record({ ...facts, phase, status });
    return phase;
  }

  async function pay(tenant: Tenant): Promise<Phase> {
    // An event must not subscribe a tenant that is on the free plan.
    const customerId = tenant.metered ? world.stripe.customerOf(tenant.workspaceId) : null;
    if (customerId === null) return 'failed';
    const op = history.newOperation();
    // Later than the previous event, because the service ignores older ones.
    const nowUnixSeconds = Math.floor(Date.now() / 1000);
    const createdUnixSeconds = Math.max(
      nowUnixSeconds,
      (paidUnixSeconds.get(tenant.name) ?? nowUnixSeconds) + 1,
    );
    paidUnixSeconds.set(tenant.name, createdUnixSeconds);
    const id = `evt_op${op}`;
    const facts = { op, kind: 'payment', tenant: tenant.name, target: id };
    history.record({ ...facts, phase: 'invoke' });
    const sendEvent = async () => {
      const { body, signature } = subscriptionEvent(customerId, { id, createdUnixSeconds });
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      const url = `${await world.fleet.anyUrl(random.integer(0, 7))}/webhooks/stripe`;
      return callService(url, { method: 'POST', headers, body }, CALL_MS_MAX);
    };
    const { answer } = await retryUntilDecided(sendEvent);
    if (createdUnixSeconds % 2 === 0) await sendEvent();
    const phase = answer.kind === 'answer' && answer.status === 200 ? 'ok' : 'unknown';
    history.record({ ...facts, phase, status: answer.kind === 'answer' ? answer.status : null });
    return phase;
  }

  return { join, transferOwnership, pay };
}
