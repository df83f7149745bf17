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
import { openReportPdf } from './kept-report.ts';
import { REPORT_FILES } from './report-artifact.ts';

export type Artifact = {
  status: 200 | 206 | 416;
  body: Buffer | Readable | null;
  headers: Record<string, string>;
};

/**
 * A file made for the analysis, or its audio while that is kept. Reports and pictures are written when they are asked for;
 * the one that takes long is kept.
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
 * There for as long as the audio is: while the analysis waits, and afterwards if its owner keeps it. A player asks for parts,
 * so that a long song plays at once and can be sought.
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
  const headers = {
    ...attachmentHeaders(analysis.fileName ?? analysis.id, audioTypeOf(object.contentType)),
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

function audioTypeOf(contentType: string): string {
  return contentType.startsWith('audio/') ? contentType : 'application/octet-stream';
}
