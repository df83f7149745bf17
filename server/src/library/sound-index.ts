import type { Database } from '../platform/postgres.ts';
import { type Aspect, partsOf } from './embedding-parts.ts';
import { type CompareRows, createRowComparison } from './sound-kernel.ts';
import { type Neighbour, SoundMatrix } from './sound-matrix.ts';
import { listSounds, type Sound } from './sound-store.ts';

/**
 * Exact search in the memory of this process: a workspace's sounds are read when it first asks, and afterwards only what came
 * since. A hundred thousand take about as many kilobytes, and tens of milliseconds a question.
 */
const BATCH = 5_000;
/** Of all workspaces together; the ones asked least recently are forgotten first. */
const SOUNDS_MAX = 300_000;

type Shelf = {
  compareRows: CompareRows;
  /** By the version of the engine's embedding: only equals are compared. */
  matrices: Map<number, SoundMatrix>;
  versionOf: Map<string, number>;
  /** Everything that an earlier transaction wrote has been read. */
  readBefore: number;
  /** Reading for one question serves all that come meanwhile. */
  reading: Promise<void> | null;
};

/** The sounds of the workspaces that asked, in the memory of one process. */
export type SoundIndex = {
  /** The nearest of the same version, nearest first; itself is the first of them. Null when it has no sound. */
  findNearest(
    workspaceId: string,
    analysisId: string,
    wish: { aspect: Aspect; limit: number },
  ): Promise<Neighbour[] | null>;
  /** Songs that turned out to be gone: they are left out from now on. */
  forget(workspaceId: string, analysisIds: readonly string[]): void;
};

export function createSoundIndex(db: Database, soundsMax: number = SOUNDS_MAX): SoundIndex {
  const shelves = new Map<string, Shelf>();
  const compareRows = createRowComparison();
  return {
    async findNearest(workspaceId, analysisId, wish) {
      const shelf = takeShelf(shelves, workspaceId, compareRows);
      await readAgain(db, workspaceId, shelf);
      forgetLeastRecent(shelves, soundsMax);
      const version = shelf.versionOf.get(analysisId);
      const matrix = version === undefined ? undefined : shelf.matrices.get(version);
      const parts = matrix && partsOf(version!, matrix.width, wish.aspect);
      if (!matrix || !parts) return null;
      return matrix.nearest(analysisId, parts, wish.limit);
    },
    forget(workspaceId, analysisIds) {
      const shelf = shelves.get(workspaceId);
      for (const id of analysisIds) {
        const version = shelf?.versionOf.get(id);
        if (version === undefined) continue;
        shelf!.matrices.get(version)?.remove(id);
        shelf!.versionOf.delete(id);
      }
    },
  };
}

/** The most recently asked stands last. */
function takeShelf(shelves: Map<string, Shelf>, workspaceId: string, compareRows: CompareRows): Shelf {
  const shelf = shelves.get(workspaceId) ?? {
    compareRows,
    matrices: new Map<number, SoundMatrix>(),
    versionOf: new Map<string, number>(),
    readBefore: 0,
    reading: null,
  };
  shelves.delete(workspaceId);
  shelves.set(workspaceId, shelf);
  return shelf;
}

async function readAgain(db: Database, workspaceId: string, shelf: Shelf): Promise<void> {
  // One that reads already may have begun before the sound that is asked for was written: it is read once more after it.
  await shelf.reading?.catch(() => {});
  shelf.reading ??= readNews(db, workspaceId, shelf).finally(() => {
    shelf.reading = null;
  });
  await shelf.reading;
}

function forgetLeastRecent(shelves: Map<string, Shelf>, soundsMax: number): void {
  let total = [...shelves.values()].reduce((sum, { versionOf }) => sum + versionOf.size, 0);
  for (const [id, { versionOf }] of shelves) {
    if (total <= soundsMax || shelves.size === 1) break;
    shelves.delete(id);
    total -= versionOf.size;
  }
}

async function readNews(db: Database, workspaceId: string, shelf: Shelf): Promise<void> {
  let horizon: number | null = null;
  for (let after = { writtenBy: shelf.readBefore, id: '' }; ; ) {
    const page = await listSounds(db, workspaceId, { after, limit: BATCH });
    // Of the first page: what commits while the others are read is read again next time.
    horizon ??= page.oldestOpen;
    for (const sound of page.sounds) put(shelf, sound);
    const last = page.sounds.at(-1);
    if (last === undefined || page.sounds.length < BATCH) break;
    after = { writtenBy: last.writtenBy, id: last.analysisId };
  }
  shelf.readBefore = horizon;
}

function put({ matrices, versionOf, compareRows }: Shelf, { analysisId, version, embedding }: Sound): void {
  const before = versionOf.get(analysisId);
  if (before !== undefined && before !== version) matrices.get(before)?.remove(analysisId);
  let matrix = matrices.get(version);
  if (!matrix) {
    matrix = new SoundMatrix(embedding.length, compareRows);
    matrices.set(version, matrix);
  }
  if (matrix.width !== embedding.length) return;
  matrix.put(analysisId, embedding);
  versionOf.set(analysisId, version);
}
