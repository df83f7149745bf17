import { writeReportHtml, writeReportPdf } from '@earshot/exports';
import type { MemberContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { getAnalysisOfWorkspace } from '../analyses.ts';
import { attachmentHeaders } from '../attachment.ts';
import { baseNameOf, type DownloadFile, getExportSource } from '../export.ts';

const HTML_NAME = 'report.html';
const PDF_NAME = 'report.pdf';

/** Names of the files that openArtifact can give, by report format. */
export const REPORT_FILES = { html: HTML_NAME, pdf: PDF_NAME } as const;

/** A file made for the analysis. Reports are written when they are asked for: the result they show never changes. */
export async function openArtifact(ctx: MemberContext, id: string, name: string): Promise<DownloadFile> {
  const analysis = await getAnalysisOfWorkspace(ctx, id);
  if (name !== HTML_NAME && name !== PDF_NAME) throw notFound();
  const source = await getExportSource(ctx, analysis);
  const fileName = `${baseNameOf(source)}.${name}`;
  if (name === HTML_NAME) {
    const body = Buffer.from(writeReportHtml(source, null));
    return { body, headers: attachmentHeaders(fileName, 'text/html; charset=utf-8') };
  }
  const body = Buffer.from(await writeReportPdf(source, null));
  return { body, headers: attachmentHeaders(fileName, 'application/pdf') };
}
