import type { Database } from '../platform/postgres.ts';
import { type Aspect, partsOf } from './embedding-parts.ts';
import { type CompareRows, createRowComparison } from './sound-kernel.ts';
import { type Neighbour, SoundMatrix } from './sound-matrix.ts';
import { listSounds, type Sound, type SoundPosition } from './sound-store.ts';

/**
 * Exact similarity search in the memory of this process: the sounds of a workspace are read when its library is first opened, and later
 * only those written since. A hundred thousand sounds take about 100 MB, a second to read, and tens of milliseconds per search.
 */

/** About two megabytes. */
const SOUNDS_PER_PAGE = 2000;
/** Of all workspaces together, about 300 MB. The least recently searched libraries are evicted first. */
const SOUNDS_MAX = 300_000;

type Library = {
  /** By the version of the embedding: vectors of different versions are not comparable. */
  matrices: Map<number, SoundMatrix>;
  versionOf: Map<string, number>;
  /** Every sound of the transactions before this one has been read; initially 0, before all transactions. */
  readBefore: number;
  /** The read in progress, shared by all searches that arrive meanwhile. */
  reading: Promise<void> | null;
};

export type SoundIndex = {
  /** Reads a library that is likely to be searched soon, as long as there is room without evicting others. */
  prepare(workspaceId: string): void;
  /** The nearest sounds of the same version, nearest first, starting with the song itself. Null when it has no sound. */
  findNearest(
    workspaceId: string,
    analysisId: string,
    search: { aspect: Aspect; limit: number },
  ): Promise<Neighbour[] | null>;
  /** Removes songs that turned out to be deleted. */
  forget(workspaceId: string, analysisIds: readonly string[]): void;
};

export function createSoundIndex(db: Database, soundsMax: number = SOUNDS_MAX): SoundIndex {
  const libraries = new Map<string, Library>();
  const compareRows = createRowComparison();
  /** Once full, nothing is read ahead any more: two large libraries opened in turn would evict each other each time. */
  let wasFull = false;
  const read = async (workspaceId: string): Promise<Library> => {
    const library = useLibrary(libraries, workspaceId);
    await refresh(library, () => readNewSounds(db, workspaceId, library, compareRows));
    wasFull = evictLeastRecent(libraries, soundsMax) || wasFull;
    return library;
  };
  return {
    prepare(workspaceId) {
      if (wasFull || libraries.has(workspaceId)) return;
      // The next search reads again, and reports the error if there still is one.
      read(workspaceId).catch(() => {});
    },
    async findNearest(workspaceId, analysisId, { aspect, limit }) {
      const library = await read(workspaceId);
      const version = library.versionOf.get(analysisId);
      const matrix = version === undefined ? undefined : library.matrices.get(version);
      const parts = matrix && partsOf(version!, matrix.width, aspect);
      return matrix && parts ? matrix.nearest(analysisId, parts, limit) : null;
    },
    forget(workspaceId, analysisIds) {
      const library = libraries.get(workspaceId);
      for (const id of analysisIds) {
        const version = library?.versionOf.get(id);
        if (version === undefined) continue;
        library!.matrices.get(version)?.remove(id);
        library!.versionOf.delete(id);
      }
    },
  };
}

/** Moves the library to the end of the map, which is thus ordered from the least to the most recently used. */
function useLibrary(libraries: Map<string, Library>, workspaceId: string): Library {
  const library = libraries.get(workspaceId) ?? {
    matrices: new Map<number, SoundMatrix>(),
    versionOf: new Map<string, number>(),
    readBefore: 0,
    reading: null,
  };
  libraries.delete(workspaceId);
  libraries.set(workspaceId, library);
  return library;
}

async function refresh(library: Library, readNew: () => Promise<void>): Promise<void> {
  // A read in progress may have begun before the requested sound was written, so another one follows it.
  await library.reading?.catch(() => {});
  library.reading ??= readNew().finally(() => {
    library.reading = null;
  });
  await library.reading;
}

/** Whether the index was full. A library counts as one more than its sounds, so that empty ones are evicted too. */
function evictLeastRecent(libraries: Map<string, Library>, soundsMax: number): boolean {
  const sizeOf = ({ versionOf }: Library) => versionOf.size + 1;
  let total = [...libraries.values()].reduce((sum, library) => sum + sizeOf(library), 0);
  const isFull = total > soundsMax;
  for (const [id, library] of libraries) {
    if (total <= soundsMax || libraries.size === 1) break;
    libraries.delete(id);
    total -= sizeOf(library);
  }
  return isFull;
}

async function readNewSounds(
  db: Database,
  workspaceId: string,
  library: Library,
  compareRows: CompareRows,
): Promise<void> {
  const list = (after: SoundPosition) => listSounds(db, workspaceId, { after, limit: SOUNDS_PER_PAGE });
  // '' sorts before every id.
  let page = await list({ writtenBy: library.readBefore, id: '' });
  // Of the first page: what commits while later pages are read is read again next time.
  const horizon = page.oldestOpen;
  for (;;) {
    // The database fetches the next page while this one is stored.
    const next = page.next && list(page.next);
    for (const sound of page.sounds) put(library, sound, compareRows);
    if (!next) break;
    page = await next;
  }
  library.readBefore = horizon;
}

function put(
  { matrices, versionOf }: Library,
  { analysisId, version, embedding }: Sound,
  compareRows: CompareRows,
): void {
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
