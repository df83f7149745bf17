import { hash } from 'node:crypto';

/** 162 bits of the hash: no two contents share them. */
const HASH_CHARACTERS = 27;

/** Names an answer by its bytes, or by what they are made of. Weak: it says nothing of how they are packed. */
export function tagOf(content: string | Buffer): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, HASH_CHARACTERS)}"`;
}

/** The entity tag of something that counts its versions. */
export function versionTagOf({ version }: { version: number }): string {
  return `"${version}"`;
}

/** The versions that an If-Match names; null when any will do. */
export function versionsOf(ifMatch: string | undefined): number[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  return ifMatch.split(',').flatMap((tag) => {
    const version = /^(?:W\/)?"(\d+)"$/.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}
