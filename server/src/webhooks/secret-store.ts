import type { Queryable, Transaction } from '../platform/postgres.ts';
import type { SealedSecrets } from './secrets.ts';

const SELECT = `
  select signing_secret as "signingSecret", previous_signing_secret as "previousSigningSecret",
    previous_secret_expires_at as "previousSecretExpiresAt"
  from workspace_webhook_secrets where workspace_id = $1`;

export function findDefaultSecrets(db: Queryable, workspaceId: string): Promise<SealedSecrets | null> {
  return db.maybeOne<SealedSecrets>(SELECT, [workspaceId]);
}

export function getDefaultSecrets(db: Queryable, workspaceId: string): Promise<SealedSecrets> {
  return db.one<SealedSecrets>(SELECT, [workspaceId]);
}

export function lockDefaultSecrets(tx: Transaction, workspaceId: string): Promise<SealedSecrets> {
  return tx.one<SealedSecrets>(`${SELECT} for update`, [workspaceId]);
}

/** Of two who make it at once, one wins and both read the same. */
export async function insertDefaultSecret(
  tx: Transaction,
  workspaceId: string,
  sealed: string,
): Promise<void> {
  await tx.query(
    'insert into workspace_webhook_secrets (workspace_id, signing_secret) values ($1, $2) on conflict do nothing',
    [workspaceId, sealed],
  );
}

export async function saveDefaultSecrets(
  tx: Transaction,
  workspaceId: string,
  secrets: SealedSecrets,
): Promise<void> {
  await tx.query(
    `update workspace_webhook_secrets set signing_secret = $2, previous_signing_secret = $3,
       previous_secret_expires_at = $4, updated_at = now()
     where workspace_id = $1`,
    [workspaceId, secrets.signingSecret, secrets.previousSigningSecret, secrets.previousSecretExpiresAt],
  );
}
