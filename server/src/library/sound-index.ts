import type { Database } from '../platform/postgres.ts';
import { type Aspect, likeness, partsOf } from './embedding-parts.ts';
import { listSounds, type Sound } from './sound-store.ts';

/**
 * Exact search in the memory of this process: a workspace's sounds are read when it first asks, and afterwards only what came
 * since. A hundred thousand take a hundred megabytes and some tens of milliseconds a question.
 */
const BATCH = 5_000;
/** Of all workspaces together; the ones asked least recently are forgotten first. */
const SOUNDS_MAX = 300_000;

type Shelf = { sounds: Map<string, Sound>; lastSeq: number };
const shelves = new Map<string, Shelf>();

export type Neighbour = { id: string; similarity: number };

/** The nearest of the same version, nearest first; itself is the first of them. Null when it has no sound. */
export async function findNearest(
  db: Database,
  workspaceId: string,
  analysisId: string,
  wish: { aspect: Aspect; limit: number },
): Promise<Neighbour[] | null> {
  const { sounds } = await readShelf(db, workspaceId);
  const target = sounds.get(analysisId);
  const parts = target && partsOf(target.version, target.embedding.length, wish.aspect);
  if (!target || !parts) return null;
  const found: Neighbour[] = [];
  for (const sound of sounds.values()) {
    if (sound.version !== target.version) continue;
    const similarity = sound === target ? 1 : likeness(target.embedding, sound.embedding, parts);
    if (found.length >= wish.limit && similarity <= found.at(-1)!.similarity && sound !== target) continue;
    const at =
      sound === target
        ? 0
        : found.findIndex((other) => other.similarity < similarity && other.id !== analysisId);
    found.splice(at === -1 ? found.length : at, 0, { id: sound.analysisId, similarity });
    if (found.length > wish.limit) found.pop();
  }
  return found;
}

async function readShelf(db: Database, workspaceId: string): Promise<Shelf> {
  const shelf = shelves.get(workspaceId) ?? { sounds: new Map(), lastSeq: 0 };
  // The most recently asked stands last.
  shelves.delete(workspaceId);
  shelves.set(workspaceId, shelf);
  for (;;) {
    const come = await listSounds(db, workspaceId, { afterSeq: shelf.lastSeq, limit: BATCH });
    for (const sound of come) {
      shelf.sounds.set(sound.analysisId, sound);
      shelf.lastSeq = Math.max(shelf.lastSeq, sound.seq);
    }
    if (come.length < BATCH) break;
  }
  let total = [...shelves.values()].reduce((sum, { sounds }) => sum + sounds.size, 0);
  for (const [id, { sounds }] of shelves) {
    if (total <= SOUNDS_MAX || id === workspaceId) break;
    shelves.delete(id);
    total -= sounds.size;
  }
  return shelf;
}
