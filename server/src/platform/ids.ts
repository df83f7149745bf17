import { randomBytes } from 'node:crypto';

/** The kind of resource, such as an analysis (`job`) or a webhook delivery (`whd`). */
type IdPrefix =
  | 'usr'
  | 'ws'
  | 'job'
  | 'evt'
  | 'inv'
  | 'key'
  | 'aud'
  | 'obj'
  | 'whe'
  | 'whd'
  | 'chl'
  | 'ses'
  | 'led'
  | 'att'
  | 'mai'
  | 'pay'
  | 'shr'
  | 'col';

/** Crockford's base32 in lower case: no letter that looks like a digit, and ASCII order is numeric order. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
const ID_CHARACTERS = TIME_CHARACTERS + RANDOM_CHARACTERS;
const RANDOM_LIMIT = 1n << 80n;

let lastMs = 0;
let lastRandom = 0n;

/**
 * The prefix, `_` and 26 characters: the time in milliseconds, then 80 random bits. Ids made by one process ascend even within a
 * millisecond, so its rows ordered by id are in the order in which they were made.
 */
export function newId(prefix: IdPrefix): string {
  const nowMs = Date.now();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    lastRandom = BigInt(`0x${randomBytes(10).toString('hex')}`);
  } else {
    // In the same millisecond, or after the clock went back, a random increment keeps ids ascending and hard to guess.
    lastRandom += randomStep();
    if (lastRandom >= RANDOM_LIMIT) {
      lastMs += 1;
      lastRandom -= RANDOM_LIMIT;
    }
  }
  return `${prefix}_${toBase32(BigInt(lastMs), TIME_CHARACTERS)}${toBase32(lastRandom, RANDOM_CHARACTERS)}`;
}

/** An id that sorts after the given one, for a list that must continue behind rows of a process whose clock is ahead of ours. */
export function idAfter(id: string): string {
  const [prefix, text] = [id.slice(0, -ID_CHARACTERS), id.slice(-ID_CHARACTERS)];
  return `${prefix}${toBase32(fromBase32(text) + randomStep(), ID_CHARACTERS)}`;
}

function randomStep(): bigint {
  return 1n + BigInt(randomBytes(4).readUInt32BE());
}

function fromBase32(text: string): bigint {
  return [...text].reduce((value, character) => {
    const digit = ALPHABET.indexOf(character);
    if (digit === -1) throw new Error(`"${text}" is not the base32 part of an id`);
    return (value << 5n) + BigInt(digit);
  }, 0n);
}

function toBase32(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest >>= 5n) text = ALPHABET[Number(rest & 31n)] + text;
  return text;
}
