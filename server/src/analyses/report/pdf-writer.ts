import { readFileSync } from 'node:fs';
import type { ExportSource } from '@earshot/exports';
import { AppError } from '../../errors.ts';
import { sha256Hex } from '../../platform/crypto.ts';
import { once } from '../../platform/once.ts';
import {
  holdOpen,
  pathOfBundle,
  type SideProcess,
  sendTo,
  startSideProcess,
} from '../../platform/side-process.ts';
import type { PdfAnswer, PdfOrder } from './pdf-process.ts';

/** Reports that may wait for the one process; whoever comes later is told to come again. Chosen: at a quarter of a second each, some 12 s. */
const WAITING_MAX = 50;

/** Holds the report's sources, and the hash of its packages' versions (scripts/build.mjs). */
const BUNDLE = 'pdf-process.js';

type Waiting = { resolve: (bytes: Buffer) => void; reject: (error: unknown) => void };

export type PdfWriter = {
  /** Another one whenever reports may come out otherwise; the same in all processes of a release. */
  version(): string;
  write(source: ExportSource): Promise<Buffer>;
};

/** One process, started with the first report and kept, since loading its fonts takes longer than a report. */
export function createPdfWriter(): PdfWriter {
  const waiting = new Map<number, Waiting>();
  let writer: SideProcess | null = null;
  let lastId = 0;

  function startWriter(): SideProcess {
    const started = startSideProcess(BUNDLE);
    started.on('message', (answer: PdfAnswer) => {
      const order = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) holdOpen(started, false);
      if ('bytes' in answer) order?.resolve(Buffer.from(answer.bytes));
      else order?.reject(answer.error);
    });
    // A process that broke tells its end as well; by then its successor may have orders, which must not be rejected.
    const giveUp = (error: unknown) => {
      if (writer !== started) return;
      writer = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('error', giveUp);
    started.on('exit', (code, signal) =>
      giveUp(new Error(`The report writer ended with ${signal ?? `code ${code}`}`)),
    );
    return started;
  }

  return {
    version: once(() => sha256Hex(readFileSync(pathOfBundle(BUNDLE)))),
    write(source) {
      if (waiting.size >= WAITING_MAX) {
        const message = 'Many reports are being written at the moment. Ask again in a few seconds.';
        throw new AppError('overloaded', message, { retryAfterSeconds: 5 });
      }
      writer ??= startWriter();
      const child = writer;
      lastId += 1;
      const order: PdfOrder = { id: lastId, source };
      return new Promise((resolve, reject) => {
        waiting.set(order.id, { resolve, reject });
        // Held only while somebody waits: an idle writer must not keep a stopping process alive.
        holdOpen(child, true);
        sendTo(child, order);
      });
    },
  };
}
