import { z } from 'zod';
import type { Context } from '../context.ts';
import { AppError, ValidationFailed } from '../errors.ts';
import { limitSubjectOf } from '../limits/client-address.ts';
import { deriveKeys, seal, sha256Hex, unsealWithAny } from '../platform/crypto.ts';
import type { Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';
import { shorten } from '../shorten-input.ts';
import type { Raw } from './implement.ts';
import { describeIssues } from './validation.ts';

/** Promised by the contract. */
const KEPT_HOURS = 24;
const IDEMPOTENCY_KEY = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]+$/);

export type IdempotentRequest = {
  /** Id of the operation. The stored answer is bound to it by its encryption. */
  scope: string;
  /** Null when the client sent no key. */
  key: string | null;
  /** Null only without a key. */
  requestHash: string | null;
  /** Runs before the transaction because it needs the network. When it throws, new work is refused, but a stored answer is still sent. */
  check?: () => Promise<void>;
};

/** The idempotent request of an operation, from its raw HTTP request. */
export function requestOf(
  { id }: { id: string },
  { idempotencyKey, requestHash }: Pick<Raw, 'idempotencyKey' | 'requestHash'>,
): IdempotentRequest {
  return { scope: id, key: idempotencyKey, requestHash };
}

export type StoredAnswer<S extends number, B> = { status: S; body: B };
export type IdempotentAnswer<S extends number, B> = StoredAnswer<S, B> & {
  headers: Record<string, string>;
  replayed: boolean;
};

/**
 * Runs `work` at most once per key. The answer is stored in the transaction of the work, so that a crash leaves neither and no key
 * blocks a retry. The lock on the key ends with the transaction, even when the process dies.
 */
export async function withIdempotency<S extends number, B>(
  ctx: Context,
  request: IdempotentRequest,
  work: (tx: Transaction) => Promise<StoredAnswer<S, B>>,
): Promise<IdempotentAnswer<S, B>> {
  const { scope, key, requestHash, check } = request;
  if (key === null) {
    await check?.();
    const answer = await ctx.db.transaction(work);
    return { ...answer, headers: {}, replayed: false };
  }
  if (requestHash === null) throw new Error(`${scope} takes a key and has no fingerprint of the request`);
  const [checked] = await Promise.allSettled([check?.()]);
  return ctx.db.transaction(async (tx): Promise<IdempotentAnswer<S, B>> => {
    const name = { ...holderOf(ctx), key };
    await lockKey(tx, name);
    const stored = await findAnswer<S, B>(ctx, tx, name, requestHash);
    if (stored) return { ...stored, headers: { 'Idempotent-Replayed': 'true' }, replayed: true };
    if (checked.status === 'rejected') throw checked.reason;
    const answer = await work(tx);
    await storeAnswer(ctx, tx, name, { scope, requestHash }, answer);
    return { ...answer, headers: {}, replayed: false };
  });
}

/**
 * Keys belong to a workspace, or without one to the client's address: a client at another address that guesses key and request does
 * not get the stored answer.
 */
function holderOf({ actor, ip }: Context): Holder {
  return 'workspaceId' in actor
    ? { workspaceId: actor.workspaceId, client: null }
    : { workspaceId: null, client: `client/${limitSubjectOf(ip ?? 'unknown')}` };
}

/** The key, without the quotes that the IETF draft puts around it; null when absent. `loc` is the place reported with a fault. */
export function readIdempotencyKey(
  value: string | string[] | undefined,
  loc: string[] = ['header', 'idempotency-key'],
): string | null {
  if (value === undefined) return null;
  const given = Array.isArray(value) ? value.join(', ') : value;
  const key = /^"(.*)"$/.exec(given)?.[1] ?? given;
  const parsed = IDEMPOTENCY_KEY.safeParse(key);
  if (parsed.success) return key;
  const issues = describeIssues(parsed.error.issues, key, 'header');
  throw new ValidationFailed(issues.map((issue) => ({ ...issue, loc, input: shorten(given) })));
}

/** Fingerprint of a request. Each part is hashed separately, so that moving a byte from one part to the next changes the fingerprint. */
export function hashRequest(parts: readonly (string | Uint8Array)[]): string {
  return sha256Hex(parts.map((part) => sha256Hex(part)).join('.'));
}

type Holder = { workspaceId: string; client: null } | { workspaceId: null; client: string };
type KeyName = Holder & { key: string };

async function lockKey(tx: Transaction, name: KeyName): Promise<void> {
  const { locked } = await tx.one<{ locked: boolean }>(
    prepared('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked'),
    [`idempotency/${name.workspaceId ?? name.client}/${name.key}`],
  );
  if (locked) return;
  throw new AppError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running. Ask again in a moment.',
    { retryAfterSeconds: 1 },
  );
}

type AnswerRow = {
  scope: string;
  request_hash: string;
  status_code: number;
  response: { sealed: string };
};

async function findAnswer<S extends number, B>(
  ctx: Context,
  tx: Transaction,
  name: KeyName,
  requestHash: string,
): Promise<StoredAnswer<S, B> | null> {
  const row = await tx.maybeOne<AnswerRow>(
    prepared(`select scope, request_hash, status_code, response from idempotency_keys
     where holder = $1 and key = $2 and expires_at > now()`),
    [name.workspaceId ?? name.client, name.key],
  );
  if (!row) return null;
  if (row.request_hash !== requestHash) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another request. Use a new key for a new request.',
    );
  }
  const body = JSON.parse(unsealWithAny(answerKeys(ctx), row.response.sealed, contextOf(name, row.scope)));
  // Some answers have a field that marks a replay.
  const replayed = 'idempotent_replay' in body ? { ...body, idempotent_replay: true } : body;
  return { status: row.status_code as S, body: replayed };
}

/** Encrypted, because an answer may contain a secret that is shown only once: a new key, a signing secret, an upload URL. */
async function storeAnswer(
  ctx: Context,
  tx: Transaction,
  name: KeyName,
  { scope, requestHash }: { scope: string; requestHash: string },
  answer: StoredAnswer<number, unknown>,
): Promise<void> {
  const [currentKey] = answerKeys(ctx);
  const sealed = seal(currentKey as Buffer, JSON.stringify(answer.body), contextOf(name, scope));
  await tx.query(
    prepared(`insert into idempotency_keys
       (workspace_id, client, scope, key, request_hash, status_code, response, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(hours => $8))
     on conflict (holder, key) do update set
       scope = excluded.scope, request_hash = excluded.request_hash, status_code = excluded.status_code, response = excluded.response,
       created_at = now(), expires_at = excluded.expires_at`),
    [name.workspaceId, name.client, scope, name.key, requestHash, answer.status, { sealed }, KEPT_HOURS],
  );
}

function answerKeys(ctx: Context): Buffer[] {
  return deriveKeys(ctx.config, 'idempotency');
}

function contextOf(name: KeyName, scope: string): string {
  return `${name.workspaceId ?? name.client}/${scope}/${name.key}`;
}
