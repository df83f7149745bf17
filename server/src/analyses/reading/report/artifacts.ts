import type { Readable } from 'node:stream';
import { heatmapToPng, writeReportHtml } from '@earshot/exports';
import type { MemberContext } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { ObjectMissing } from '../../../platform/storage.ts';
import { findStoredObject } from '../../../storage-objects/storage-objects.ts';
import { getAnalysisOfWorkspace } from '../../analyses.ts';
import type { Analysis } from '../../analysis.ts';
import { attachmentHeaders, inlineHeaders } from '../attachment.ts';
import { baseNameOf, getExportSource } from '../export.ts';
import { readSupplement } from '../results.ts';
import { writePdf } from './pdf-writer.ts';
import { REPORT_FILES } from './report-artifact.ts';

export type Artifact = { body: Buffer | Readable; headers: Record<string, string> };

/**
 * A file made for the analysis, or its audio while that is kept. Reports and pictures are written when they are asked for:
 * the result they show never changes.
 */
export async function openArtifact(ctx: MemberContext, id: string, name: string): Promise<Artifact> {
  const analysis = await getAnalysisOfWorkspace(ctx, id);
  switch (name) {
    case REPORT_FILES.html:
    case REPORT_FILES.pdf:
      return writeReport(ctx, analysis, name);
    case 'spectrogram.png':
    case 'chromagram.png':
      return drawPicture(ctx, analysis, name === 'spectrogram.png' ? 'spectrogram' : 'chromagram');
    case 'source':
      return openSource(ctx, analysis);
    default:
      throw notFound();
  }
}

async function writeReport(ctx: MemberContext, analysis: Analysis, name: string): Promise<Artifact> {
  const source = await getExportSource(ctx, analysis);
  const fileName = `${baseNameOf(source)}.${name}`;
  if (name === REPORT_FILES.html) {
    const body = Buffer.from(writeReportHtml(source));
    return { body, headers: inlineHeaders(fileName, 'text/html; charset=utf-8') };
  }
  const body = await writePdf(source);
  return { body, headers: attachmentHeaders(fileName, 'application/pdf') };
}

async function drawPicture(
  ctx: MemberContext,
  analysis: Analysis,
  picture: 'spectrogram' | 'chromagram',
): Promise<Artifact> {
  const heatmap = (await readSupplement(ctx, analysis))?.visuals[picture];
  if (!heatmap || heatmap.columnCount === 0) throw notFound();
  const body = Buffer.from(heatmapToPng(heatmap));
  return { body, headers: inlineHeaders(`${picture}.png`, 'image/png') };
}

/** There for as long as the audio is: while the analysis waits, and afterwards if its owner keeps it. */
async function openSource(ctx: MemberContext, analysis: Analysis): Promise<Artifact> {
  const object = analysis.storageObjectId && (await findStoredObject(ctx.db, analysis.storageObjectId));
  if (!object) throw notFound();
  try {
    const { stream, byteSize } = await ctx.storage.read(object.key);
    const contentType = object.contentType.startsWith('audio/')
      ? object.contentType
      : 'application/octet-stream';
    const headers = attachmentHeaders(analysis.fileName ?? analysis.id, contentType);
    return { body: stream, headers: { ...headers, 'Content-Length': String(byteSize) } };
  } catch (error) {
    throw error instanceof ObjectMissing ? notFound() : error;
  }
}
