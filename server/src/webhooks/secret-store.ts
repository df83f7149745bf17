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

/** Of concurrent inserts one wins, and every caller then reads that one. */
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

export type SecretRow = {
  table: 'webhook_endpoints' | 'workspace_webhook_secrets';
  /** Endpoint or workspace. */
  holderId: string;
  signingSecret: string;
  previousSigningSecret: string | null;
};

/** Every sealed secret of all workspaces, locked until the transaction ends. For the rotation of SECRET_KEY. */
export async function lockAllSecrets(tx: Transaction): Promise<SecretRow[]> {
  const columns = `signing_secret as "signingSecret", previous_signing_secret as "previousSigningSecret"`;
  const endpoints = await tx.query<SecretRow>(
    `select 'webhook_endpoints' as "table", id as "holderId", ${columns} from webhook_endpoints order by id for update`,
  );
  const defaults = await tx.query<SecretRow>(
    `select 'workspace_webhook_secrets' as "table", workspace_id as "holderId", ${columns}
     from workspace_webhook_secrets order by workspace_id for update`,
  );
  return [...endpoints, ...defaults];
}

export async function saveSealed(tx: Transaction, row: SecretRow): Promise<void> {
  const values = [row.holderId, row.signingSecret, row.previousSigningSecret];
  const changes = `signing_secret = $2, previous_signing_secret = $3`;
  const changed = `(signing_secret, previous_signing_secret) is distinct from ($2, $3)`;
  if (row.table === 'webhook_endpoints') {
    await tx.query(`update webhook_endpoints set ${changes} where id = $1 and ${changed}`, values);
  } else {
    await tx.query(
      `update workspace_webhook_secrets set ${changes} where workspace_id = $1 and ${changed}`,
      values,
    );
  }
}
