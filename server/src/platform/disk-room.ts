import { statfs } from 'node:fs/promises';

export type DiskRoom = { freeBytes: number; totalBytes: number };

/** Chosen: with less of the disk free, an operator should act. */
const LOW_SHARE = 0.1;

/** The room on the disk of a folder; null when it cannot be read. */
export async function readDiskRoom(folder: string): Promise<DiskRoom | null> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder);
    return blocks > 0 ? { freeBytes: bavail * bsize, totalBytes: blocks * bsize } : null;
  } catch {
    return null;
  }
}

export function isLow(room: DiskRoom | null): boolean {
  return room !== null && room.freeBytes < LOW_SHARE * room.totalBytes;
}
