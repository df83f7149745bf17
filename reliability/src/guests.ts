import { setTimeout as delay } from 'node:timers/promises';
import type { Phase } from './history.ts';
import { type Answer, callService } from './http-call.ts';
import type { Random } from './random.ts';
import type { Tenant } from './tenant.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Each is longer than a running service takes, even on a busy machine. */
export const CALL_MS_MAX = 15_000;
const RETRY_MS_MAX = 60_000;
const CODE_MS_MAX = 15_000;
/** Between two tries: random, so that guests do not repeat in step. */
const RETRY_PAUSE_MS_MIN = 50;
const RETRY_PAUSE_MS_MAX = 200;
/** As many sign-in codes as the service sends in an hour when one client requests them for one address (server/src/sign-in/sign-in.ts). */
const CHALLENGES_MAX = 5;

export type Guests = {
  call(method: string, path: string, token: string | null, body?: object, from?: string): Promise<Answer>;
  /** Repeats a call until its answer is definite. `repeated`: an earlier try, whose answer was lost, may have been processed. */
  retryUntilDecided(send: () => Promise<Answer>): Promise<{ answer: Answer; repeated: boolean }>;
  /** Invites a new person, who signs in; the token is null when the sign-in failed. */
  admit(tenant: Tenant): Promise<{ phase: Phase; email: string; token: string | null }>;
};

/** People who join a workspace by invitation. Each comes from a different IP address, since sign-ins are limited by address. */
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

  async function retryUntilDecided(
    send: () => Promise<Answer>,
  ): Promise<{ answer: Answer; repeated: boolean }> {
    const deadlineMs = performance.now() + RETRY_MS_MAX;
    for (let repeated = false; ; repeated = true) {
      const answer = await send();
      if (isDecided(answer) || performance.now() > deadlineMs) return { answer, repeated };
      await delay(random.integer(RETRY_PAUSE_MS_MIN, RETRY_PAUSE_MS_MAX));
    }
  }

  /** Signs in with a mailed code. Null when no code arrives or no more challenges are allowed. */
  async function signIn(email: string): Promise<string | null> {
    const from = `198.51.${random.integer(0, 255)}.${random.integer(1, 254)}`;
    const tried = new Set<string>();
    for (let round = 0; round < CHALLENGES_MAX; round += 1) {
      const { answer } = await retryUntilDecided(() =>
        call('POST', '/v1/auth/email/start', null, { email }, from),
      );
      const challengeId = bodyOf<{ challenge_id?: string }>(answer)?.challenge_id;
      if (challengeId === undefined) return null;
      const fresh = () => world.mail.codesFor(email).find((code) => !tried.has(code));
      // A mail may arrive twice, or late from an earlier challenge, so after a wrong code the next one is tried.
      while (await until(() => fresh() !== undefined, CODE_MS_MAX)) {
        const code = fresh() ?? '';
        tried.add(code);
        const body = { challenge_id: challengeId, code };
        const verify = () => call('POST', '/v1/auth/email/verify', null, body, from);
        const { answer: verified, repeated } = await retryUntilDecided(verify);
        const token = bodyOf<{ access_token?: string }>(verified)?.access_token;
        if (token !== undefined) return token;
        if (repeated) break;
      }
    }
    return null;
  }

  async function admit(tenant: Tenant): Promise<{ phase: Phase; email: string; token: string | null }> {
    const op = history.newOperation();
    const email = `guest-op${op}@example.com`;
    const facts = { op, kind: 'join', tenant: tenant.name, target: email };
    history.record({ ...facts, phase: 'invoke' });
    const { answer } = await retryUntilDecided(() =>
      call('POST', '/v1/account/team/invitations', tenant.sessionToken, { email }),
    );
    const invited = answer.kind === 'answer' && (answer.status === 201 || answer.code === 'already_invited');
    const token = invited ? await signIn(email) : null;
    const phase = token === null ? 'unknown' : 'ok';
    history.record({ ...facts, phase });
    return { phase, email, token };
  }

  return { call, retryUntilDecided, admit };
}

/** A rate limit passes, so 429 is worth repeating; but a challenge with too many attempts stays invalid. */
export function isDecided(answer: Answer): boolean {
  if (answer.kind !== 'answer' || answer.status >= 500) return false;
  return answer.status !== 429 || answer.code === 'too_many_attempts';
}

/** Null when there is no answer or its body is not JSON. */
export function bodyOf<T>(answer: Answer): T | null {
  return answer.kind === 'answer' ? (answer.body as T | null) : null;
}
