import type { Readable } from 'node:stream';
import { heatmapToPng, writeReportHtml } from '@earshot/exports';
import type { MemberContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { readByteRange } from '../../http/byte-range.ts';
import { ObjectMissing } from '../../platform/storage.ts';
import { findStoredObject } from '../../storage-objects/storage-objects.ts';
import { getAnalysisOfWorkspace } from '../analyses.ts';
import { type Analysis, hasSource } from '../analysis.ts';
import { attachmentHeaders, inlineHeaders } from '../reading/attachment.ts';
import { baseNameOf, getExportSource } from '../reading/export.ts';
import { readSupplement } from '../reading/results.ts';
import { openReportPdf } from './cached-report.ts';
import { REPORT_FILES } from './report-artifact.ts';

export type Artifact = { headers: Record<string, string> } & (
  | { status: 200 | 206; body: Buffer | Readable }
  | { status: 416; body: null }
);

/**
 * A report, a picture, or the audio while it is stored. Reports and pictures are generated on request; only the PDF, which takes
 * long, is cached.
 */
export async function openArtifact(
  ctx: MemberContext,
  { id, name, rangeHeader }: { id: string; name: string; rangeHeader: string | undefined },
): Promise<Artifact> {
  const analysis = await getAnalysisOfWorkspace(ctx, id);
  switch (name) {
    case REPORT_FILES.html:
    case REPORT_FILES.pdf:
      return writeReport(ctx, analysis, name);
    case 'spectrogram.png':
    case 'chromagram.png':
      return drawPicture(ctx, analysis, name === 'spectrogram.png' ? 'spectrogram' : 'chromagram');
    case 'source':
      return openSource(ctx, analysis, rangeHeader);
    default:
      throw notFound();
  }
}

async function writeReport(ctx: MemberContext, analysis: Analysis, name: string): Promise<Artifact> {
  const source = await getExportSource(ctx, analysis);
  const fileName = `${baseNameOf(source)}.${name}`;
  if (name === REPORT_FILES.html) {
    const body = Buffer.from(writeReportHtml(source));
    return { status: 200, body, headers: inlineHeaders(fileName, 'text/html; charset=utf-8') };
  }
  const body = await openReportPdf(ctx, source);
  return { status: 200, body, headers: attachmentHeaders(fileName, 'application/pdf') };
}

async function drawPicture(
  ctx: MemberContext,
  analysis: Analysis,
  picture: 'spectrogram' | 'chromagram',
): Promise<Artifact> {
  const heatmap = (await readSupplement(ctx, analysis))?.visuals[picture];
  if (!heatmap || heatmap.columnCount === 0) throw notFound();
  const body = Buffer.from(heatmapToPng(heatmap));
  return { status: 200, body, headers: inlineHeaders(`${picture}.png`, 'image/png') };
}

/**
 * The audio, until the analysis has ended, and afterwards if it is retained. Ranges let a player start a long song at once and
 * seek in it.
 */
async function openSource(
  ctx: MemberContext,
  analysis: Analysis,
  rangeHeader: string | undefined,
): Promise<Artifact> {
  if (!hasSource(analysis)) throw notFound();
  const object = analysis.storageObjectId && (await findStoredObject(ctx.db, analysis.storageObjectId));
  const stored = object && (await ctx.storage.stat(object.key));
  if (!object || !stored) throw notFound();
  // The type is the client's claim: only audio types are passed on.
  const isAudioType = object.contentType.startsWith('audio/');
  const contentType = isAudioType ? object.contentType : 'application/octet-stream';
  const headers = {
    ...attachmentHeaders(analysis.fileName ?? analysis.id, contentType),
    'Accept-Ranges': 'bytes',
  };
  const range = readByteRange(rangeHeader, stored.byteSize);
  if (range === 'unsatisfiable') {
    return { status: 416, body: null, headers: { 'Content-Range': `bytes */${stored.byteSize}` } };
  }
  try {
    const { stream, byteSize } = await ctx.storage.read(object.key, range ?? undefined);
    const length = { 'Content-Length': String(byteSize) };
    if (!range) return { status: 200, body: stream, headers: { ...headers, ...length } };
    const place = `bytes ${range.firstByte}-${range.lastByte}/${stored.byteSize}`;
    return { status: 206, body: stream, headers: { ...headers, ...length, 'Content-Range': place } };
  } catch (error) {
    throw error instanceof ObjectMissing ? notFound() : error;
  }
}
