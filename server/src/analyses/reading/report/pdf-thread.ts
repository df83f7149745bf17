import { parentPort } from 'node:worker_threads';
import { type ExportSource, writeReportPdf } from '@earshot/exports';

/** The thread that sets reports as PDF: a quarter of a second of computing that no other request should wait for. */

export type PdfOrder = { id: number; source: ExportSource };
export type PdfAnswer = { id: number } & ({ bytes: Uint8Array } | { error: string });

const port = parentPort;
if (!port) throw new Error('This file is started as a worker thread');

port.on('message', async ({ id, source }: PdfOrder) => {
  try {
    const bytes = await writeReportPdf(source);
    port.postMessage({ id, bytes } satisfies PdfAnswer);
  } catch (error) {
    port.postMessage({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
