import type { CollectionFormat } from '@earshot/contract';
import { COLLECTION_EXPORTS, keepForFormat } from '@earshot/exports';
import { listAnalysesById } from '../analyses/analyses.ts';
import { attachmentHeaders } from '../analyses/reading/attachment.ts';
import { getNamedResult } from '../analyses/reading/export.ts';
import type { MemberContext } from '../context.ts';
import { AppError } from '../errors.ts';
import { getCollection } from './collections.ts';

/** One request reads this many results one after the other: 220 kB of JSON for a song of four minutes, of which a format keeps a part. */
const EXPORTED_SONGS_MAX = 500;

export type ExportChoice = { format: CollectionFormat; folder: string | null };
export type ExportedSongs = { body: Buffer; headers: Record<string, string>; songCount: number };

export async function exportCollection(
  ctx: MemberContext,
  id: string,
  choice: ExportChoice,
): Promise<ExportedSongs> {
  const { name, songs } = await getCollection(ctx, id);
  return exportSongs(ctx, { name, ids: songs.map((song) => song.analysisId) }, choice);
}

/** Keeps the order of `ids`. Songs without a result are left out, as are songs deleted meanwhile. */
export async function exportSongs(
  ctx: MemberContext,
  { name, ids }: { name: string; ids: readonly string[] },
  { format, folder }: ExportChoice,
): Promise<ExportedSongs> {
  if (ids.length > EXPORTED_SONGS_MAX) {
    throw new AppError(
      'conflict',
      `At most ${EXPORTED_SONGS_MAX} songs are exported at once. Make smaller collections.`,
    );
  }
  const songs = [];
  for (const analysis of await listAnalysesById(ctx, ids)) {
    if (analysis.status !== 'completed') continue;
    const song = await getNamedResult(ctx, analysis).catch(nullIfDeleted);
    if (song) songs.push(keepForFormat(song, format));
  }
  const { contentType, fileNameEnding, write } = COLLECTION_EXPORTS[format];
  const body = Buffer.from(write({ name, songs, folder }));
  const headers = attachmentHeaders(`${name}${fileNameEnding}`, contentType);
  return { body, headers, songCount: songs.length };
}

function nullIfDeleted(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
