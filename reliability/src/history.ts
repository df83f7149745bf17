import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/**
 * What the driver sent and what was answered, as JSON lines, each flushed to disk before the driver goes on. The checker compares the
 * service's own records with it.
 *
 * `invoke` is recorded before the first byte is sent; then `ok` (accepted), `failed` (refused: nothing may have changed) or `unknown` (a
 * reset, a time-out, a 5xx: it may have happened). A retry with the same idempotency key belongs to the same operation, and only the last
 * entry counts.
 */
export type Phase = 'invoke' | 'ok' | 'failed' | 'unknown';

/** What only some operations have. */
const NO_DETAILS = {
  /** The idempotency key. */
  key: null as string | null,
  /** The id of the job, user or payment event concerned; of a guest, the e-mail address. */
  target: null as string | null,
  /** The HTTP status and the error code of the answer. */
  status: null as number | null,
  code: null as string | null,
  jobIds: [] as readonly string[],
  /** For submissions. */
  requestedJobCount: null as number | null,
  /** What a read showed: job id → status. */
  seenStatuses: {} as Readonly<Record<string, string>>,
  /** The name of another tenant whose marker was in the answer. */
  leakedTenant: null as string | null,
  reason: null as string | null,
};

/** What the driver knows of an operation; details that do not apply may be left out. */
export type Facts = { op: number; phase: Phase; kind: string; tenant: string } & Partial<typeof NO_DETAILS>;
export type Entry = { atMs: number } & Required<Facts>;

export function createEntry(atMs: number, facts: Facts): Entry {
  return { ...NO_DETAILS, ...facts, atMs };
}

export type History = {
  readonly path: string;
  record(facts: Facts): void;
  newOperation(): number;
  close(): void;
};

export function openHistory(path: string): History {
  const file = openSync(path, 'a');
  let operations = 0;
  return {
    path,
    record(facts) {
      writeSync(file, `${JSON.stringify(createEntry(Date.now(), facts))}\n`);
      fdatasyncSync(file);
    },
    newOperation() {
      operations += 1;
      return operations;
    },
    close: () => closeSync(file),
  };
}

/** The targets of the operations of this kind that succeeded. */
export function targetsOf(history: readonly Entry[], kind: string): string[] {
  return history.flatMap((entry) =>
    entry.kind === kind && entry.phase === 'ok' ? (entry.target ?? []) : [],
  );
}

export function readHistory(path: string): Entry[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry);
}
