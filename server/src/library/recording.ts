/**
 * Are two files the same recording? By Chromaprint, which hardly minds encoding and level: of the same recording, most of its words
 * are equal to the bit; of another, next to none.
 *
 * The share of equal words is estimated from sketches: each word is hashed, and the smallest hashes are kept (bottom-k; Broder, "On
 * the resemblance and containment of documents", 1997). The smallest of these are also the keys by which copies are found.
 */

const SKETCH_SIZE = 64;
/** Of a sketch, these are looked up. Of two copies with a third of their words equal, one in 25 pairs has no key in common. */
const KEY_COUNT = 8;
/** Five seconds: less is a sound, and sounds from one library are alike. */
const WORDS_MIN = 40;
/**
 * Of the smallest hashes of both together, those that are in both. Measured (recording.test.ts): MP3 at 64 kbit/s keeps .70 of them, a
 * copy that is 5 % faster .08, a transposed one or another song none.
 */
const SHARE_MIN = 0.25;
/** Encoders add some milliseconds at either end, and no more. */
const DURATION_DIFFERENCE_SECONDS_MAX = 2;

export type Recording = { sketch: readonly number[]; durationSeconds: number };

/** Null where there are too few different words to tell. */
export function sketchRecording(chromaprint: string | null): number[] | null {
  if (chromaprint === null) return null;
  const hashes = new Set<number>();
  for (const word of readChromaprint(chromaprint)) hashes.add(mix(word));
  if (hashes.size < WORDS_MIN) return null;
  return [...hashes].sort((a, b) => a - b).slice(0, SKETCH_SIZE);
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

/** The words of a compressed fingerprint: the other way round of engine/src/fingerprint/compress.ts. */
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
      // Each was written as its difference from the one before.
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

/** The finaliser of MurmurHash3, as a signed number of 32 bits: neighbouring words get hashes far apart. */
function mix(word: number): number {
  let hash = word;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
