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
import type { PdfRequest, PdfResponse } from './pdf-process.ts';

/** Further requests are refused as overloaded: at a quarter of a second per report, the last of 50 waits 12 s. */
const PENDING_REPORTS_MAX = 50;

/** Contains the report's sources and the hash of its packages' versions (scripts/build.mjs). */
const BUNDLE = 'pdf-process.js';

type PendingReport = { resolve: (bytes: Buffer) => void; reject: (error: unknown) => void };

export type PdfWriter = {
  /** Changes whenever reports may look different; the same in all processes of a release. */
  version(): string;
  write(source: ExportSource): Promise<Buffer>;
};

/** One process, started with the first report and kept, since loading its fonts takes longer than a report. */
export function createPdfWriter(): PdfWriter {
  const pending = new Map<number, PendingReport>();
  let writer: SideProcess | null = null;
  let lastId = 0;

  function startWriter(): SideProcess {
    const started = startSideProcess(BUNDLE);
    started.on('message', (response: PdfResponse) => {
      const report = pending.get(response.id);
      pending.delete(response.id);
      if (pending.size === 0) holdOpen(started, false);
      if ('bytes' in response) report?.resolve(Buffer.from(response.bytes));
      else report?.reject(response.error);
    });
    // A failed process emits both events. By the second its successor may have requests, which must not be rejected.
    const rejectAll = (error: unknown) => {
      if (writer !== started) return;
      writer = null;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    started.on('error', rejectAll);
    started.on('exit', (code, signal) =>
      rejectAll(new Error(`The report writer ended with ${signal ?? `code ${code}`}`)),
    );
    return started;
  }

  return {
    version: once(() => sha256Hex(readFileSync(pathOfBundle(BUNDLE)))),
    write(source) {
      if (pending.size >= PENDING_REPORTS_MAX) {
        const message = 'Many reports are being written at the moment. Try again in a few seconds.';
        throw new AppError('overloaded', message, { retryAfterSeconds: 5 });
      }
      writer ??= startWriter();
      const child = writer;
      lastId += 1;
      const request: PdfRequest = { id: lastId, source };
      return new Promise((resolve, reject) => {
        pending.set(request.id, { resolve, reject });
        // Only until the response: an idle writer must not keep a stopping process alive.
        holdOpen(child, true);
        sendTo(child, request);
      });
    },
  };
}
