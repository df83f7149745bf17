import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/**
 * What the driver sent and was answered, as JSON lines, each on disk before anything else happens. The checker compares the service's
 * own records with it.
 *
 * `invoke` is recorded before the first byte is sent; then `ok` (the service said yes), `failed` (it said no, and nothing may have
 * happened) or `unknown` (a reset, a time-out, a 5xx: it may have happened). A retry with the same idempotency key belongs to the
 * same operation, and only the last entry counts.
 */
export type Phase = 'invoke' | 'ok' | 'failed' | 'unknown';

export type Entry = {
  atMs: number;
  op: number;
  phase: Phase;
  kind: string;
  tenant: string;
  /** The idempotency key, where there is one. */
  key?: string;
  /** What the operation was about: a job, a person, a payment event. */
  target?: string;
  status?: number;
  code?: string;
  jobIds?: string[];
  /** How many jobs the submission asks for. */
  jobsAsked?: number;
  /** What a read showed: job id → status. */
  seen?: Record<string, string>;
  /** The name of another tenant of whom the answer showed something. */
  foreign?: string;
  reason?: string;
};

export type History = {
  readonly path: string;
  record(entry: Omit<Entry, 'atMs'>): void;
  newOperation(): number;
  close(): void;
};

export function openHistory(path: string): History {
  const file = openSync(path, 'a');
  let operations = 0;
  return {
    path,
    record(entry) {
      writeSync(file, `${JSON.stringify({ atMs: Date.now(), ...entry })}\n`);
      fdatasyncSync(file);
    },
    newOperation() {
      operations += 1;
      return operations;
    },
    close: () => closeSync(file),
  };
}

/** The targets of the operations of a kind that succeeded. */
export function targetsOf(history: readonly Entry[], kind: string): string[] {
  return history.flatMap((entry) =>
    entry.kind === kind && entry.phase === 'ok' ? (entry.target ?? []) : [],
  );
}

export function readHistory(path: string): Entry[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry);
}
