import { createHash } from 'node:crypto';

/** Names an answer by its bytes, or by what they are made of. Weak: it says nothing of how they are packed. */
export function tagOf(content: string | Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}

/** The entity tag of something that counts its versions. */
export function versionTagOf({ version }: { version: number }): string {
  return `"${version}"`;
}

/** Whether an If-Match, if there is one, names this version. */
export function matchesVersion(ifMatch: string | null, version: number): boolean {
  if (ifMatch === null || ifMatch.trim() === '*') return true;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(versionTagOf({ version }));
}
