import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The system user that PostgreSQL runs as; null for the user of this process. PostgreSQL refuses to run as root. */
export type ServerUser = { uid: number; gid: number } | null;

/** Whether the user may enter the folder and every folder above it. We are root when the user is another. */
export async function canEnter(folder: string, user: ServerUser): Promise<boolean> {
  if (user === null) return true;
  for (let path = folder; ; path = dirname(path)) {
    const { uid, gid, mode } = await stat(path);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/** Whether only we can write to a folder: in any other, another user could place programs for us to run. */
export async function isOwn(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  if (!found?.isDirectory()) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}
