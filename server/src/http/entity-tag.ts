import { hash } from 'node:crypto';

/** 162 bits of the hash, so that no two contents share a tag. */
const HASH_CHARACTERS = 27;

/** The entity tag of an answer, from its bytes or from what determines them. Weak, because every content encoding shares it. */
export function tagOf(content: string | Buffer): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, HASH_CHARACTERS)}"`;
}

/** The entity tag of something with a version number. */
export function versionTagOf({ version }: { version: number }): string {
  return `"${version}"`;
}

/**
 * The versions that an If-Match header accepts; null when it accepts any. Weak tags count too, although RFC 9110 (section 13.1.1) compares
 * strongly: a proxy that compresses an answer makes its tag weak (nginx), and the version remains the same.
 */
export function versionsOf(ifMatch: string | undefined): number[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  return ifMatch.split(',').flatMap((tag) => {
    const version = /^(?:W\/)?"(\d+)"$/.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}
