import type { ResultDocument } from '@earshot/exports';
import type { Transaction } from '../platform/postgres.ts';
import { FIRST_VERSION } from './embedding-parts.ts';
import { deleteRecording, linkRecording, promoteNextCopy } from './recording-store.ts';
import {
  extractFeatures,
  featureTermsOf,
  INDEX_VERSION,
  NO_DESCRIPTION,
  nameSong,
  type SongIds,
} from './song.ts';
import { deleteSound, saveSound } from './sound-store.ts';
import * as store from './store.ts';

/** Keeps the library index in step with the analyses. Each function runs in the transaction that changes the analysis. */

/** A new analysis can be found by its file name before it has a result. */
export async function indexNewSong(
  tx: Transaction,
  song: SongIds & { fileName: string | null; createdAt: Date },
): Promise<void> {
  const file = { fileName: song.fileName, title: null, artist: null, album: null };
  await store.insertNewSong(tx, song, nameSong(file, NO_DESCRIPTION, []), INDEX_VERSION);
}

/** Restores a missing row or refreshes an outdated one, whose user-written description is kept. */
export async function reindexSong(tx: Transaction, song: SongIds): Promise<void> {
  await store.insertSong(tx, song);
  await refreshNames(tx, song.workspaceId, [song.analysisId]);
  await store.markIndexed(tx, song, INDEX_VERSION);
}

/** `document` is the result with the user's corrections applied. */
export async function indexResult(tx: Transaction, ids: SongIds, document: ResultDocument): Promise<void> {
  const [row] = await store.lockSongs(tx, ids.workspaceId, [ids.analysisId]);
  if (!row) return;
  const features = extractFeatures(document);
  const { title, artist, album } = document.file.tags;
  const file = { fileName: row.file.fileName, title, artist, album };
  await store.saveNaming(tx, ids, nameSong(file, row.description, features.terms), file, row.terms);
  await store.saveFeatures(tx, ids, features, INDEX_VERSION);
  await saveSound(tx, ids, soundOf(document));
  await linkRecording(tx, ids, features);
}

function soundOf({ fingerprint }: ResultDocument) {
  const embedding = fingerprint?.embedding ?? null;
  if (embedding === null) return null;
  const { embedding_version: version } = fingerprint as { embedding_version?: number | null };
  return { version: version ?? FIRST_VERSION, embedding };
}

/** Recomputes names and search terms after a description has changed. */
export async function refreshNames(
  tx: Transaction,
  workspaceId: string,
  analysisIds: readonly string[],
): Promise<void> {
  for (const row of await store.lockSongs(tx, workspaceId, analysisIds)) {
    const naming = nameSong(row.file, row.description, featureTermsOf(row.terms));
    await store.saveNaming(tx, { workspaceId, analysisId: row.analysisId }, naming, row.file, row.terms);
  }
}

export async function removeFromIndex(tx: Transaction, ids: SongIds): Promise<void> {
  await deleteRecording(tx, ids);
  await store.deleteSong(tx, ids);
  await promoteNextCopy(tx, ids);
  await deleteSound(tx, ids);
}
