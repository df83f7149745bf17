import { setTimeout as delay } from 'node:timers/promises';
import type { Phase } from './history.ts';
import { type Answer, callService } from './http-call.ts';
import type { Random } from './random.ts';
import type { Tenant } from './tenant.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

export const CALL_MS_MAX = 15_000;
const INSIST_MS_MAX = 60_000;
const CODE_MS_MAX = 15_000;
/** As many as one address may ask for in an hour. */
const CHALLENGES_MAX = 5;

export type Guests = {
  call(method: string, path: string, token: string | null, body?: object, from?: string): Promise<Answer>;
  /** Until there is a real answer. `again` tells whether an earlier try may have been heard. */
  insist(send: () => Promise<Answer>): Promise<{ answer: Answer; again: boolean }>;
  /** Somebody new is invited and signs in; without a token they did not get in. */
  admit(tenant: Tenant): Promise<{ phase: Phase; email: string; token: string | null }>;
};

/** People who come to a workspace with nothing but an address. */
export function createGuests(world: World, random: Random): Guests {
  const { history } = world;

  async function call(method: string, path: string, token: string | null, body?: object, from = '127.0.0.1') {
    const base = await world.fleet.anyUrl(random.integer(0, 7));
    const headers = {
      'x-forwarded-for': from,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    return callService(
      `${base}${path}`,
      { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) },
      CALL_MS_MAX,
    );
  }

  async function insist(send: () => Promise<Answer>): Promise<{ answer: Answer; again: boolean }> {
    const deadlineMs = performance.now() + INSIST_MS_MAX;
    for (let again = false; ; again = true) {
      const answer = await send();
      if (isDecided(answer) || performance.now() > deadlineMs) return { answer, again };
      await delay(random.integer(50, 200));
    }
  }

  /** Signs in with the codes that are mailed; null when the address has used up its challenges. */
  async function signIn(email: string): Promise<string | null> {
    const from = `198.51.${random.integer(0, 255)}.${random.integer(1, 254)}`;
    const tried = new Set<string>();
    for (let round = 0; round < CHALLENGES_MAX; round += 1) {
      const { answer } = await insist(() => call('POST', '/v1/auth/email/start', null, { email }, from));
      const challengeId = bodyOf<{ challenge_id?: string }>(answer)?.challenge_id;
      if (challengeId === undefined) return null;
      const fresh = () => world.mail.codesFor(email).find((code) => !tried.has(code));
      // A mail may come twice, and that of an earlier challenge late: a wrong code is no reason to give up.
      while (await until(() => fresh() !== undefined, CODE_MS_MAX)) {
        const code = fresh() ?? '';
        tried.add(code);
        const verify = () => call('POST', '/v1/auth/email/verify', null, { challenge_id: challengeId, code });
        const { answer: verified, again } = await insist(verify);
        const token = bodyOf<{ access_token?: string }>(verified)?.access_token;
        if (token !== undefined) return token;
        if (again) break;
      }
    }
    return null;
  }

  async function admit(tenant: Tenant): Promise<{ phase: Phase; email: string; token: string | null }> {
    const op = history.newOperation();
    const email = `guest-op${op}@example.com`;
    const facts = { op, kind: 'join', tenant: tenant.name, target: email };
    history.record({ ...facts, phase: 'invoke' });
    const { answer } = await insist(() =>
      call('POST', '/v1/account/team/invitations', tenant.sessionToken, { email }),
    );
    const invited = answer.kind === 'answer' && (answer.status === 201 || answer.code === 'already_invited');
    const token = invited ? await signIn(email) : null;
    const phase = token === null ? 'unknown' : 'ok';
    history.record({ ...facts, phase });
    return { phase, email, token };
  }

  return { call, insist, admit };
}

/** A limit passes; a code that was tried too often stays spent, also when the service died at every try. */
function isDecided(answer: Answer): boolean {
  if (answer.kind !== 'answer' || answer.status >= 500) return false;
  return answer.status !== 429 || answer.code === 'too_many_attempts';
}

/** Null where there is no answer, or none in JSON. */
export function bodyOf<T>(answer: Answer): T | null {
  return answer.kind === 'answer' ? (answer.body as T | null) : null;
}
