import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDecoders, findOrphans, findPersistent } from '../child-processes.ts';
import { type Entry, readHistory } from '../history.ts';
import type { Mail } from '../stand-ins/mail-sink.ts';
import type { MeterEvent } from '../stand-ins/stripe-stand-in.ts';
import type { WebhookCall } from '../stand-ins/webhook-sink.ts';
import type { Tenant } from '../tenant.ts';
import type { World } from '../world.ts';

export type AnalysisRow = {
  id: string;
  workspace_id: string;
  status: string;
  file_name: string | null;
  webhook_url: string | null;
  storage_object_id: string | null;
  retain_source: boolean;
  created_by_kind: string;
  stage: string | null;
  deleted_at: Date | null;
  has_result: boolean;
};
export type EventRow = {
  analysis_id: string;
  event_type: string;
  metadata: Record<string, unknown>;
};
export type LedgerRow = {
  workspace_id: string;
  period: string;
  entry: 'grant' | 'charge' | 'refund';
  amount: number;
  analysis_id: string | null;
};
export type BalanceRow = {
  workspace_id: string;
  period: string;
  granted: number;
  overage: number;
  used: number;
};
export type DeliveryRow = {
  id: string;
  analysis_id: string | null;
  endpoint_id: string | null;
  status: string;
  event_type: string;
  body: string;
};
export type ObjectRow = {
  id: string;
  key: string;
  status: string;
  byte_size: number | null;
  sha256: string | null;
};

export type MemberRow = { workspace_id: string; user_id: string; email: string; role: string };
export type InvitationRow = { workspace_id: string; email: string; accepted: boolean };
export type PaymentEventRow = { id: string; outcome: string; workspace_id: string; version: number };
export type BillingRow = { workspace_id: string; subscription_version: number };
export type AuditRow = {
  workspace_id: string;
  action: string;
  metadata: Record<string, unknown>;
};

/** Everything the checker reads, gathered once the world is idle. */
export type Evidence = {
  history: Entry[];
  tenants: Tenant[];
  analyses: AnalysisRow[];
  events: EventRow[];
  ledger: LedgerRow[];
  balances: BalanceRow[];
  deliveries: DeliveryRow[];
  objects: ObjectRow[];
  jobs: { kind: string; state: string; payload: unknown; last_error: string | null }[];
  unsentMailCount: number;
  meterReports: { analysis_id: string; reported_at: Date | null }[];
  /** Active memberships. */
  members: MemberRow[];
  invitations: InvitationRow[];
  paymentEvents: PaymentEventRow[];
  billing: BillingRow[];
  /** The audit entries about payments, invitations and ownership, oldest first. */
  audit: AuditRow[];
  /** Connections to addresses that no customer's URL may reach. */
  canaryConnections: string[];
  calls: WebhookCall[];
  meterEvents: MeterEvent[];
  mails: Mail[];
  objectFiles: Map<string, Buffer>;
  /** Temporary folders of decoders that the next start of a process would not remove. */
  decoderFolders: string[];
  decoderPids: number[];
  /** Engines and PDF writers whose parent process has ended. */
  orphanPids: number[];
  /** The places where a planted secret was found. */
  secretsFound: string[];
  logs: string;
};

export async function gatherEvidence(world: World): Promise<Evidence> {
  const rows = async <R>(sql: string) => (await world.postgres.pool.query(sql)).rows as R[];
  const logs = await readLogs(join(world.folder, 'logs'));
  return {
    history: readHistory(world.history.path),
    tenants: world.tenants,
    analyses: await rows(
      `select a.id, workspace_id, status, file_name, webhook_url, storage_object_id, retain_source, created_by_kind, stage, deleted_at,
         r.analysis_id is not null as has_result
       from analyses a left join analysis_results r on r.analysis_id = a.id where surface <> 'demo'`,
    ),
    events: await rows('select analysis_id, event_type, metadata from analysis_events order by id'),
    ledger: await rows('select workspace_id, period, entry, amount, analysis_id from credit_ledger'),
    balances: await rows('select workspace_id, period, granted, overage, used from credit_balances'),
    deliveries: await rows(
      'select id, analysis_id, endpoint_id, status, event_type, body from webhook_deliveries',
    ),
    objects: await rows('select id, key, status, byte_size::int as byte_size, sha256 from storage_objects'),
    jobs: await rows(`select kind, state, payload, last_error from jobs where kind <> 'sweep'`),
    unsentMailCount: await world.postgres.count('mail_outbox'),
    meterReports: await rows('select analysis_id, reported_at from meter_reports'),
    members: await rows(
      `select workspace_id, user_id, email, role from memberships join users on users.id = user_id where status = 'active'`,
    ),
    invitations: await rows(
      'select workspace_id, email, accepted_at is not null as accepted from invitations',
    ),
    // The version is that of `versionOf` in server/src/billing/subscription-state.ts; an update has rank 3 (read-provider-event.ts).
    paymentEvents: await rows(
      `select id, outcome, billing_accounts.workspace_id, (payload->>'created')::float8 * 10 + 3 as version
       from payment_events join billing_accounts using (customer_id) where event_type = 'customer.subscription.updated'`,
    ),
    billing: await rows(
      'select workspace_id, max(version)::float8 as subscription_version from billing_subscriptions group by workspace_id',
    ),
    audit: await rows(
      `select workspace_id, action, metadata from audit_events
       where action in ('billing.update', 'invitation.accept', 'workspace.transfer_ownership') order by created_at, id`,
    ),
    canaryConnections: world.canaries.connections,
    calls: world.webhooks.calls,
    meterEvents: world.stripe.meterEvents,
    mails: world.mail.mails,
    objectFiles: await readObjects(world),
    decoderFolders: findLeakedFolders(join(world.folder, 'tmp')),
    decoderPids: await findPersistent(() => findDecoders(join(world.folder, 'tmp'))),
    orphanPids: findOrphans(world),
    secretsFound: await findSecrets(world, logs),
    logs,
  };
}

async function readLogs(folder: string): Promise<string> {
  const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

/** Key → bytes of every object in the store. */
async function readObjects({ s3, folder }: World): Promise<Map<string, Buffer>> {
  if (s3 === null) return readFiles(join(folder, 'data', 'objects'));
  return new Map([...s3.objects].map(([key, { bytes }]) => [key, bytes]));
}

async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length + 1), await readFile(path));
  }
  return files;
}

/**
 * A process killed while its decoder starts leaves a folder that holds only a socket, which the next start removes. Any other file in
 * a folder is a leak.
 */
function findLeakedFolders(temporaryFolder: string): string[] {
  return readdirSync(temporaryFolder).filter((name) =>
    readdirSync(join(temporaryFolder, name), { withFileTypes: true }).some(
      (file) => !(file.name === 'output' && file.isSocket()),
    ),
  );
}

/** Searches every row of every table, and all logs, deliveries and mails. */
async function findSecrets(world: World, logs: string): Promise<string[]> {
  const found: string[] = [];
  const secrets = [
    ...world.secrets,
    ...world.tenants.flatMap(({ furtherEndpoints }) => furtherEndpoints.map(({ secret }) => secret)),
  ];
  const patterns = secrets.map((secret) => `%${secret.replace(/[\\%_]/g, '\\$&')}%`);
  const { rows: tables } = await world.postgres.pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const rowCount = await world.postgres.count(`${name} t where t::text like any ($1)`, patterns);
    if (rowCount > 0) found.push(`table ${name}: ${rowCount} rows`);
  }
  for (const secret of secrets) {
    const name = `${secret.slice(0, 10)}…`;
    if (logs.includes(secret)) found.push(`logs: ${name}`);
    if (world.webhooks.calls.some(({ body }) => body.includes(secret))) found.push(`deliveries: ${name}`);
    if (world.mail.mails.some(({ text }) => text.includes(secret))) found.push(`mail: ${name}`);
  }
  return found;
}
