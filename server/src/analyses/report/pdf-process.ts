import { type ExportSource, writeReportPdf } from '@earshot/exports';
import { answerParent } from '../../platform/side-process-child.ts';

/** The process that sets reports as PDF: a quarter of a second of computing that no other request should wait for. */

export type PdfOrder = { id: number; source: ExportSource };
export type PdfAnswer = { id: number } & ({ bytes: Uint8Array } | { error: unknown });

answerParent<PdfOrder, PdfAnswer>(async ({ id, source }, send) => {
  try {
    send({ id, bytes: await writeReportPdf(source) });
  } catch (error) {
    send({ id, error });
  }
});
