import type { Role, Scope } from '@earshot/contract';
import type { EnginePool } from './analyses/attempt/engine-pool.ts';
import type { ConnectionSlots } from './analyses/reading/connection-slots.ts';
import type { PdfWriter } from './analyses/report/pdf-writer.ts';
import type { PaymentProvider } from './billing/payment-provider.ts';
import type { Config } from './config.ts';
import type { SoundIndex } from './library/sound-index.ts';
import type { DiskSpace } from './platform/disk-space.ts';
import type { EventHub } from './platform/event-hub.ts';
import type { GuardedFetch } from './platform/guarded-fetch.ts';
import type { Logger } from './platform/log.ts';
import type { Mailer } from './platform/mailer.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Database } from './platform/postgres.ts';
import type { SingleFlight } from './platform/single-flight.ts';
import type { Storage } from './platform/storage.ts';

/** On whose behalf a request or job runs. */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'user'; userId: string; sessionId: string; workspaceId: string; role: Role }
  | {
      kind: 'api_key';
      apiKeyId: string;
      userId: string;
      workspaceId: string;
      role: Role;
      scopes: readonly Scope[];
    }
  | { kind: 'system' };

/** An actor that belongs to a workspace: the only kind that reaches routes with a workspace policy. */
export type Member = Extract<Actor, { workspaceId: string }>;

/** Built once per process (dependencies.ts). */
export type Dependencies = {
  config: Config;
  db: Database;
  storage: Storage;
  /** Of the disk that contains DATA_DIR; null when it cannot be read. */
  diskSpace: () => Promise<DiskSpace | null>;
  /** Injected so that tests control the time. Leases and expiry within one SQL statement use the database's now(). */
  clock: () => Date;
  log: Logger;
  metrics: Metrics;
  guardedFetch: GuardedFetch;
  mailer: Mailer;
  payments: PaymentProvider;
  enginePool: EnginePool;
  /** Wakes requests that wait for a change of an analysis. */
  analysisEvents: EventHub;
  connectionSlots: ConnectionSlots;
  pdfWriter: PdfWriter;
  /** Keyed by the content of a report, so that concurrent requests render it only once. */
  sharePdf: SingleFlight<Buffer>;
  soundIndex: SoundIndex;
  /** Aborted when the process begins to stop: readiness turns off, and open streams and polls end. */
  stopping: AbortSignal;
};

export type Context = Dependencies & {
  actor: Actor;
  requestId: string;
  /** Null for work without a request. */
  ip: string | null;
};

/** A context whose actor belongs to a workspace. */
export type MemberContext = Context & { actor: Member };
