import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/**
 * What the driver did and what it was told, one JSON line each and on disk before anything else happens: the witness
 * against which the service's own books are held.
 *
 * `invoke` before the first byte is sent; then `ok` (the service said yes), `failed` (it said no, and nothing may have
 * happened) or `unknown` (a reset, a time-out, a 5xx: it may have happened). A retry with the same idempotency key is the
 * same operation, and only its last word counts.
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
  /** Whose job it was about. */
  target?: string;
  status?: number;
  code?: string;
  jobIds?: string[];
  /** How many jobs the submission asks for. */
  jobsAsked?: number;
  /** What a read saw: job id → status. */
  seen?: Record<string, string>;
  /** A read that showed something of another tenant: whose. */
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

/** What the operations of a kind were about that the service said yes to. */
export function targetsOf(history: readonly Entry[], kind: string): string[] {
  return history.flatMap((entry) =>
    entry.kind === kind && entry.phase === 'ok' ? (entry.target ?? []) : [],
  );
}

export function readHistory(path: string): Entry[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry);
}
