import { statfs } from 'node:fs/promises';

export type DiskSpace = { freeBytes: number; totalBytes: number };

/** Time for an operator to act: uploads are refused only below 2 % (storage-objects/quota.ts). */
const LOW_SHARE = 0.1;

/** The space on the disk that holds a folder; null when it cannot be read. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder);
    return blocks > 0 ? { freeBytes: bavail * bsize, totalBytes: blocks * bsize } : null;
  } catch {
    return null;
  }
}

export function isDiskSpaceLow(space: DiskSpace | null): boolean {
  return space !== null && space.freeBytes < LOW_SHARE * space.totalBytes;
}
