import { statfs } from 'node:fs/promises';

export type DiskRoom = { freeBytes: number; totalBytes: number };

/** Chosen: below this share of the disk an operator should hear of it. */
const LOW_SHARE = 0.1;

/** Of the disk that a folder is on; null where the system does not say. */
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
