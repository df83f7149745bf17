import type { Role, Scope } from '@earshot/contract';
import type { EnginePool } from './analyses/attempt/engine-pool.ts';
import type { HeldAnswers } from './analyses/reading/held-answers.ts';
import type { PdfWriter } from './analyses/report/pdf-writer.ts';
import type { PaymentProvider } from './billing/payment-provider.ts';
import type { Config } from './config.ts';
import type { SoundIndex } from './library/sound-index.ts';
import type { DiskRoom } from './platform/disk-room.ts';
import type { EventHub } from './platform/event-hub.ts';
import type { GuardedFetch } from './platform/guarded-fetch.ts';
import type { Logger } from './platform/log.ts';
import type { Mailer } from './platform/mailer.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Database } from './platform/postgres.ts';
import type { SingleFlight } from './platform/single-flight.ts';
import type { Storage } from './platform/storage.ts';

/** Who acts. Rules read it; nobody else decides with it. */
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

/** An actor who belongs to a workspace: what every route with a workspace policy is handed. */
export type Member = Extract<Actor, { workspaceId: string }>;

/** What the composition root builds once per process. */
export type Dependencies = {
  config: Config;
  db: Database;
  storage: Storage;
  /** Of the disk that holds DATA_DIR; null where the system does not say. */
  diskRoom: () => Promise<DiskRoom | null>;
  /** Wall clock; tests hand in their own. Leases and expiries inside one SQL statement use the database's now(). */
  clock: () => Date;
  log: Logger;
  metrics: Metrics;
  guardedFetch: GuardedFetch;
  mailer: Mailer;
  payments: PaymentProvider;
  enginePool: EnginePool;
  /** Wakes those who wait for news of an analysis. */
  analysisEvents: EventHub;
  heldAnswers: HeldAnswers;
  pdfWriter: PdfWriter;
  /** By what is in a report, so that ten who ask for it at once have it written once. */
  sharePdf: SingleFlight<Buffer>;
  soundIndex: SoundIndex;
  /** Aborted when the process begins to stop: it is no longer ready, and answers that stay open end. */
  stopping: AbortSignal;
};

/** What a verb gets: the dependencies, and on whose behalf it runs. */
export type Context = Dependencies & {
  actor: Actor;
  requestId: string;
  /** Null for work that no request asked for. */
  ip: string | null;
};

/** A context whose actor belongs to a workspace. */
export type MemberContext = Context & { actor: Member };
