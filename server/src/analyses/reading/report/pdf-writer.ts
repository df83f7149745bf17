import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ExportSource } from '@earshot/exports';
import { AppError } from '../../../errors.ts';
import { SERVER_ROOT } from '../../../platform/server-root.ts';
import type { PdfAnswer, PdfOrder } from './pdf-thread.ts';

/** Reports that may wait for the one thread; whoever comes later is told to come again. */
const WAITING_MAX = 50;

type Waiting = { resolve: (bytes: Buffer) => void; reject: (error: unknown) => void };

export type PdfWriter = {
  write(source: ExportSource): Promise<Buffer>;
  /** Reports that are being written, by what is in them: whoever asks meanwhile gets the same one. */
  underWay: Map<string, Promise<Buffer>>;
};

/** One thread, started with the first report and kept, since loading its fonts takes longer than a report. */
export function createPdfWriter(): PdfWriter {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let lastId = 0;

  function startThread(): Worker {
    const started = new Worker(join(SERVER_ROOT, 'dist', 'pdf-thread.js'));
    started.on('message', (answer: PdfAnswer) => {
      const order = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) started.unref();
      if ('bytes' in answer) order?.resolve(Buffer.from(answer.bytes));
      else order?.reject(new Error(answer.error));
    });
    // A thread that broke also ends; by then another may be at work, whose orders are not lost.
    const giveUp = (error: unknown) => {
      if (thread !== started) return;
      thread = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('error', giveUp);
    started.on('exit', (code) => giveUp(new Error(`The report thread ended with code ${code}`)));
    return started;
  }

  return {
    underWay: new Map(),
    write(source) {
      if (waiting.size >= WAITING_MAX) {
        const message = 'Many reports are being written at the moment. Ask again in a few seconds.';
        throw new AppError('overloaded', message, { retryAfterSeconds: 5 });
      }
      thread ??= startThread();
      const writer = thread;
      lastId += 1;
      const order: PdfOrder = { id: lastId, source };
      return new Promise((resolve, reject) => {
        waiting.set(order.id, { resolve, reject });
        // Held only while somebody waits: an idle thread must not keep a stopping process alive.
        writer.ref();
        writer.postMessage(order);
      });
    },
  };
}
