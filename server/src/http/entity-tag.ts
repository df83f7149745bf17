import { createHash } from 'node:crypto';

/** Names an answer by its bytes, or by what they are made of. Weak: it says nothing of how they are packed. */
export function tagOf(content: string | Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}
