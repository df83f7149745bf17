import type { CollectionFormat } from '@earshot/contract';
import { COLLECTION_EXPORTS } from '@earshot/exports';
import { listAnalysesById } from '../analyses/analyses.ts';
import { attachmentHeaders } from '../analyses/reading/attachment.ts';
import { getExportSource } from '../analyses/reading/export.ts';
import type { MemberContext } from '../context.ts';
import { AppError } from '../errors.ts';
import { getCollection } from './collections.ts';

/** Each song's result is read whole: a megabyte or so, one after the other. */
const EXPORTED_SONGS_MAX = 500;

export async function exportCollection(
  ctx: MemberContext,
  id: string,
  input: { format: CollectionFormat; folder: string | null },
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  const collection = await getCollection(ctx, id);
  if (collection.songs.length > EXPORTED_SONGS_MAX) {
    throw new AppError(
      'conflict',
      `At most ${EXPORTED_SONGS_MAX} songs are exported at once. Make smaller collections.`,
    );
  }
  // One that is deleted meanwhile is left out; one without a result has nothing to export.
  const analyses = await listAnalysesById(
    ctx,
    collection.songs.map((song) => song.analysisId),
  );
  const songs = [];
  for (const analysis of analyses) {
    if (analysis.status === 'completed') {
      songs.push({ ...(await getExportSource(ctx, analysis)), supplement: null });
    }
  }
  const { contentType, fileNameEnding, write } = COLLECTION_EXPORTS[input.format];
  const body = Buffer.from(write({ name: collection.name, songs, folder: input.folder }));
  return { body, headers: attachmentHeaders(`${collection.name}${fileNameEnding}`, contentType) };
}
