import { EXPORTS, type ExportFormat, type ExportSource, ExportUnavailable } from '@earshot/exports';
import type { Dependencies, MemberContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { getAnalysisOfWorkspace } from '../analyses.ts';
import { type Analysis, hasEnded } from '../analysis.ts';
import { withoutExtension } from '../file-name.ts';
import { attachmentHeaders } from './attachment.ts';
import { readDocument, readSupplement } from './results.ts';

export async function writeExport(
  ctx: MemberContext,
  id: string,
  format: ExportFormat,
  asHeard = false,
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const source = await getExportSource(ctx, await getAnalysisOfWorkspace(ctx, id), asHeard);
  const { contentType, fileNameEnding, write } = EXPORTS[format];
  try {
    const body = Buffer.from(write(source));
    return { body, headers: attachmentHeaders(`${baseNameOf(source)}${fileNameEnding}`, contentType) };
  } catch (error) {
    if (error instanceof ExportUnavailable) throw new AppError('conflict', error.message);
    throw error;
  }
}

/** The stored result with its names and supplement. Throws AppError when there is none. */
export async function getExportSource(
  ctx: Pick<Dependencies, 'db'>,
  analysis: Analysis,
  asHeard = false,
): Promise<ExportSource> {
  const song = await getNamedResult(ctx, analysis, asHeard);
  return { ...song, supplement: await readSupplement(ctx, analysis) };
}

/** The same without reading the supplement. */
export async function getNamedResult(
  ctx: Pick<Dependencies, 'db'>,
  analysis: Analysis,
  asHeard = false,
): Promise<Omit<ExportSource, 'supplement'>> {
  if (!hasEnded(analysis)) {
    throw new AppError(
      'not_finished',
      'This analysis is not finished. Ask again when its status is completed.',
    );
  }
  const document = await readDocument(ctx, analysis, asHeard);
  // Only a deletion removes a result: the analysis was deleted since its row was read.
  if (!document && analysis.status === 'completed') throw notFound();
  if (!document || analysis.completedAt === null) {
    throw new AppError('conflict', `This analysis is ${analysis.status} and has no result.`);
  }
  const { headline } = analysis;
  return {
    analysisId: analysis.id,
    fileName: analysis.fileName,
    names: headline && { title: headline.title, artist: headline.artist, album: headline.album },
    completedAt: analysis.completedAt,
    document,
  };
}

/** The song's file name without its ending, or the job's id. */
export function baseNameOf(source: ExportSource): string {
  return withoutExtension(source.fileName) ?? source.analysisId;
}
