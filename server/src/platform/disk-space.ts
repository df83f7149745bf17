import { statfs } from 'node:fs/promises';

export type DiskSpace = { freeBytes: number; totalBytes: number };

/** Chosen: with less of the disk free, an operator should act. */
const LOW_SHARE = 0.1;

/** The room on the disk of a folder; null when it cannot be read. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder);
    return blocks > 0 ? { freeBytes: bavail * bsize, totalBytes: blocks * bsize } : null;
  } catch {
    return null;
  }
}

export function isDiskSpaceLow(room: DiskSpace | null): boolean {
  return room !== null && room.freeBytes < LOW_SHARE * room.totalBytes;
}
