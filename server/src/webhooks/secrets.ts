import type { Dependencies } from '../context.ts';
import { deriveKeys, isSealedWith, seal, unsealWithAny } from '../platform/crypto.ts';
import type { Transaction } from '../platform/postgres.ts';
import { DAY_MS } from '../platform/time-units.ts';
import * as store from './secret-store.ts';
import { newSigningSecret } from './sign.ts';

/** Signing secrets as stored: encrypted rather than hashed, because signing needs the plain text. */
export type SealedSecrets = {
  signingSecret: string;
  previousSigningSecret: string | null;
  previousSecretExpiresAt: Date | null;
};

const ROTATION_OVERLAP_MS = DAY_MS;

/** Whatever knows SECRET_KEY. */
type KeyContext = Pick<Dependencies, 'config'>;

/** `holderId`, an endpoint or a workspace, is authenticated with the secret: copied to another row, it cannot be opened. */
export function sealSecret(ctx: KeyContext, holderId: string, secret: string): string {
  return seal(secretKeys(ctx)[0] as Buffer, secret, holderId);
}

export function openSecret(ctx: KeyContext, holderId: string, sealed: string): string {
  return unsealWithAny(secretKeys(ctx), sealed, holderId);
}

/** Every secret with which a receiver may currently verify, newest first. */
export function validSecrets(ctx: KeyContext, holderId: string, secrets: SealedSecrets, now: Date): string[] {
  const { signingSecret, previousSigningSecret, previousSecretExpiresAt } = secrets;
  const previousValid =
    previousSigningSecret !== null && previousSecretExpiresAt !== null && previousSecretExpiresAt > now;
  const sealed = previousValid ? [signingSecret, previousSigningSecret] : [signingSecret];
  return sealed.map((value) => openSecret(ctx, holderId, value));
}

/** Creates a new secret; the previous one stays valid for a day. */
export function rotateSecret(
  ctx: KeyContext,
  holderId: string,
  secrets: SealedSecrets,
  now: Date,
): { secret: string; sealed: SealedSecrets & { previousSecretExpiresAt: Date } } {
  const secret = newSigningSecret();
  return {
    secret,
    sealed: {
      signingSecret: sealSecret(ctx, holderId, secret),
      previousSigningSecret: secrets.signingSecret,
      previousSecretExpiresAt: new Date(now.getTime() + ROTATION_OVERLAP_MS),
    },
  };
}

/** The secrets that sign calls to a job's own webhook_url, created when a workspace first needs them. */
export async function getDefaultSecrets(
  ctx: KeyContext,
  tx: Transaction,
  workspaceId: string,
): Promise<SealedSecrets> {
  const existing = await store.findDefaultSecrets(tx, workspaceId);
  if (existing) return existing;
  await store.insertDefaultSecret(tx, workspaceId, sealSecret(ctx, workspaceId, newSigningSecret()));
  return store.getDefaultSecrets(tx, workspaceId);
}

/** The default secret in plain text, for the response to a registration. */
export async function readDefaultSecret(
  ctx: KeyContext,
  tx: Transaction,
  workspaceId: string,
): Promise<string> {
  const { signingSecret } = await getDefaultSecrets(ctx, tx, workspaceId);
  return openSecret(ctx, workspaceId, signingSecret);
}

/** Reseals with SECRET_KEY what was sealed with SECRET_KEY_SECOND. Returns the number of resealed secrets. */
export async function resealSecrets(ctx: KeyContext, tx: Transaction): Promise<number> {
  const [newest] = secretKeys(ctx) as [Buffer];
  let count = 0;
  for (const row of await store.lockAllSecrets(tx)) {
    const reseal = (sealed: string | null) => {
      if (sealed === null || isSealedWith(newest, sealed, row.holderId)) return sealed;
      count += 1;
      return sealSecret(ctx, row.holderId, openSecret(ctx, row.holderId, sealed));
    };
    await store.saveSealed(tx, {
      ...row,
      signingSecret: reseal(row.signingSecret) as string,
      previousSigningSecret: reseal(row.previousSigningSecret),
    });
  }
  return count;
}

function secretKeys(ctx: KeyContext): Buffer[] {
  return deriveKeys(ctx.config, 'webhook-secret');
}
