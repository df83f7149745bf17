import { type ExportSource, writeReportPdf } from '@earshot/exports';
import { answerParent } from '../../platform/side-process-child.ts';

/** The process that writes reports as PDF: a quarter of a second of computation that must not delay other requests. */

export type PdfRequest = { id: number; source: ExportSource };
export type PdfResponse = { id: number } & ({ bytes: Uint8Array } | { error: unknown });

answerParent<PdfRequest, PdfResponse>(async ({ id, source }, send) => {
  try {
    send({ id, bytes: await writeReportPdf(source) });
  } catch (error) {
    send({ id, error });
  }
});
