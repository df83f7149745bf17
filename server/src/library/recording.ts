/**
 * Are two files the same recording? Decided by their Chromaprint fingerprints, which barely depend on encoding and level: most 32-bit
 * words of two encodings of a recording are identical, and hardly any of two different recordings.
 *
 * The share of common words is estimated from sketches: each word is hashed and the smallest hashes are kept (bottom-k; Broder, "On
 * the resemblance and containment of documents", 1997). The smallest of these also serve as index keys to find copies.
 */

export const SKETCH_HASH_COUNT = 64;
/** Hashes of a sketch that are indexed. Of pairs with a third of their words in common, about one in 25 shares none: (1 − 1/3)^8. */
export const KEY_COUNT = 8;
/** About five seconds. Shorter files are sound effects, of which different ones can be nearly identical. */
const WORDS_MIN = 40;
/**
 * Share of the smallest hashes of both sketches that is in both. With the fixtures of recording.test.ts: 0.70 for MP3 at 64 kbit/s, 0.08
 * for a copy that is 5 % faster, 0 for a transposed copy or another song.
 */
const SHARE_MIN = 0.25;
/** Encoders pad a file by milliseconds; an edit or another version differs by more than this. */
const DURATION_DIFFERENCE_SECONDS_MAX = 2;

export type Recording = { sketch: readonly number[]; durationSeconds: number };

/** Null where there are too few distinct words to decide. */
export function sketchRecording(chromaprint: string | null): number[] | null {
  if (chromaprint === null) return null;
  const hashes = new Set<number>();
  for (const word of readChromaprint(chromaprint)) hashes.add(mix(word));
  if (hashes.size < WORDS_MIN) return null;
  return [...hashes].sort((a, b) => a - b).slice(0, SKETCH_HASH_COUNT);
}

export function keysOf(sketch: readonly number[]): number[] {
  return sketch.slice(0, KEY_COUNT);
}

export function isSameRecording(a: Recording, b: Recording): boolean {
  if (Math.abs(a.durationSeconds - b.durationSeconds) > DURATION_DIFFERENCE_SECONDS_MAX) return false;
  return shareOfEqualWords(a.sketch, b.sketch) >= SHARE_MIN;
}

export function shareOfEqualWords(a: readonly number[], b: readonly number[]): number {
  const [inA, inB] = [new Set(a), new Set(b)];
  const union = [...new Set([...a, ...b])].sort((x, y) => x - y).slice(0, Math.min(a.length, b.length));
  return union.filter((hash) => inA.has(hash) && inB.has(hash)).length / union.length;
}

const NORMAL_BITS = 3;
const NORMAL_MAX = 7;
const EXCEPTIONAL_BITS = 5;
const HEADER_BYTES = 4;

/** Decompresses a fingerprint to its words: the inverse of engine/src/fingerprint/compress.ts, which explains the format. */
export function readChromaprint(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64url');
  const wordCount = ((bytes[1] ?? 0) << 16) | ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0);
  const words = new Uint32Array(wordCount);
  const readBits = (from: number, count: number) => {
    let value = 0;
    for (let bit = 0; bit < count; bit++)
      value |= (((bytes[(from + bit) >> 3] ?? 0) >> ((from + bit) & 7)) & 1) << bit;
    return value;
  };
  const bitEnd = bytes.length * 8;
  const distances: number[] = [];
  let at = HEADER_BYTES * 8;
  for (let ended = 0; ended < wordCount && at < bitEnd; at += NORMAL_BITS) {
    const distance = readBits(at, NORMAL_BITS);
    distances.push(distance);
    if (distance === 0) ended += 1;
  }
  let exceptionalAt = Math.ceil(at / 8) * 8;
  let [word, position, index] = [0, 0, 0];
  for (const distance of distances) {
    if (distance === 0) {
      // Each word is stored as the XOR with its predecessor.
      words[index] = ((words[index - 1] ?? 0) ^ word) >>> 0;
      [word, position, index] = [0, 0, index + 1];
      continue;
    }
    position += distance;
    if (distance === NORMAL_MAX) {
      position += readBits(exceptionalAt, EXCEPTIONAL_BITS);
      exceptionalAt += EXCEPTIONAL_BITS;
    }
    word |= 1 << (position - 1);
  }
  return words;
}

/** The finalizer of MurmurHash3, as a signed 32-bit number (a PostgreSQL integer). Spreads similar words evenly. */
function mix(word: number): number {
  let hash = word;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
