import type { Database } from '../platform/postgres.ts';
import { type Aspect, partsOf } from './embedding-parts.ts';
import { type CompareRows, createRowComparison } from './sound-kernel.ts';
import { type Neighbour, SoundMatrix } from './sound-matrix.ts';
import { listSounds, type Sound, type SoundPosition } from './sound-store.ts';

/**
 * Exact search in the memory of this process: a workspace's sounds are read when somebody first looks at its library, and afterwards
 * only what came since. A hundred thousand take about as many kilobytes, a second to read, and tens of milliseconds a question.
 */
const SOUNDS_PER_PAGE = 2000;
/** Of all workspaces together; the ones asked least recently are forgotten first. */
const SOUNDS_MAX = 300_000;

type Shelf = {
  compareRows: CompareRows;
  /** By the version of the engine's embedding: only equals are compared. */
  matrices: Map<number, SoundMatrix>;
  versionOf: Map<string, number>;
  /** Everything that transactions before this one wrote has been read; 0 is before all. */
  readBefore: number;
  /** Reading for one question serves all that come meanwhile. */
  reading: Promise<void> | null;
};

/** The sounds of the workspaces that asked, in the memory of one process. */
export type SoundIndex = {
  /** Reads ahead for a workspace that is likely to ask soon, while there is room for all. */
  prepare(workspaceId: string): void;
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
  /** From then on nobody reads ahead: two large libraries that are looked at in turns would be read again and again. */
  let wasFull = false;
  const read = async (workspaceId: string): Promise<Shelf> => {
    const shelf = takeShelf(shelves, workspaceId, compareRows);
    await readAgain(db, workspaceId, shelf);
    wasFull = forgetLeastRecent(shelves, soundsMax) || wasFull;
    return shelf;
  };
  return {
    prepare(workspaceId) {
      if (wasFull || shelves.has(workspaceId)) return;
      // A question reads what is missing then, and is told what went wrong.
      read(workspaceId).catch(() => {});
    },
    async findNearest(workspaceId, analysisId, wish) {
      const shelf = await read(workspaceId);
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

/** Whether there was one to forget. A library without sounds takes room too. */
function forgetLeastRecent(shelves: Map<string, Shelf>, soundsMax: number): boolean {
  const roomOf = ({ versionOf }: Shelf) => versionOf.size + 1;
  let total = [...shelves.values()].reduce((sum, shelf) => sum + roomOf(shelf), 0);
  const isFull = total > soundsMax;
  for (const [id, shelf] of shelves) {
    if (total <= soundsMax || shelves.size === 1) break;
    shelves.delete(id);
    total -= roomOf(shelf);
  }
  return isFull;
}

async function readNews(db: Database, workspaceId: string, shelf: Shelf): Promise<void> {
  const list = (after: SoundPosition) => listSounds(db, workspaceId, { after, limit: SOUNDS_PER_PAGE });
  // '' is less than every id.
  let page = await list({ writtenBy: shelf.readBefore, id: '' });
  // Of the first page: what commits while the others are read is read again next time.
  const horizon = page.oldestOpen;
  for (;;) {
    // The database looks for the next while these are put away.
    const next = page.next && list(page.next);
    for (const sound of page.sounds) put(shelf, sound);
    if (!next) break;
    page = await next;
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
