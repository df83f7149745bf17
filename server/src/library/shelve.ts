import type { ResultDocument } from '@earshot/exports';
import type { Transaction } from '../platform/postgres.ts';
import { FIRST_VERSION } from './embedding-parts.ts';
import { deleteRecording, linkRecording } from './recording-store.ts';
import { heardTermsOf, hearSong, NO_DESCRIPTION, nameSong, SHELF_VERSION, type SongIds } from './song.ts';
import { deleteSound, saveSound } from './sound-store.ts';
import * as store from './store.ts';

/** Keeping the shelf in step with the analyses. Every verb runs in the transaction of what it follows. */

/** A new analysis: to be found by the name of its file before anything is heard. */
export async function shelveNew(
  tx: Transaction,
  song: SongIds & { fileName: string | null; createdAt: Date },
): Promise<void> {
  const file = { fileName: song.fileName, title: null, artist: null, album: null };
  await store.insertNewSong(tx, song, nameSong(file, NO_DESCRIPTION, []), SHELF_VERSION);
}

/** One that may have been on the shelf before, with what people have written about it. */
export async function shelveAgain(tx: Transaction, song: SongIds & { createdAt: Date }): Promise<void> {
  await store.insertSong(tx, song);
  await renameSongs(tx, song.workspaceId, [song.analysisId]);
  await store.markShelved(tx, song, SHELF_VERSION);
}

/** A result, or a correction of one: `document` is what people are shown. */
export async function shelveResult(tx: Transaction, ids: SongIds, document: ResultDocument): Promise<void> {
  const [row] = await store.lockSongs(tx, ids.workspaceId, [ids.analysisId]);
  if (!row) return;
  const heard = hearSong(document);
  const { title, artist, album } = document.file.tags;
  const file = { fileName: row.file.fileName, title, artist, album };
  await store.saveNaming(tx, ids, nameSong(file, row.description, heard.terms), file, row.terms);
  await store.saveHeard(tx, ids, heard, SHELF_VERSION);
  await saveSound(tx, ids, soundOf(document));
  await linkRecording(tx, ids, heard);
}

function soundOf({ fingerprint }: ResultDocument) {
  const embedding = fingerprint?.embedding ?? null;
  if (embedding === null) return null;
  const { embedding_version: version } = fingerprint as { embedding_version?: number | null };
  return { version: version ?? FIRST_VERSION, embedding };
}

/** After people have written something else about them. */
export async function renameSongs(
  tx: Transaction,
  workspaceId: string,
  analysisIds: readonly string[],
): Promise<void> {
  for (const row of await store.lockSongs(tx, workspaceId, analysisIds)) {
    const naming = nameSong(row.file, row.description, heardTermsOf(row.terms));
    await store.saveNaming(tx, { workspaceId, analysisId: row.analysisId }, naming, row.file, row.terms);
  }
}

export async function unshelve(tx: Transaction, ids: SongIds): Promise<void> {
  await deleteRecording(tx, ids);
  await store.deleteSong(tx, ids);
  await deleteSound(tx, ids.analysisId);
}
