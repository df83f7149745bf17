/**
 * How is a fingerprint written? The compressed text form, as fpcalc prints it and AcoustID takes it.
 *
 * Adjacent words differ in few bits, so each word is XORed with the one before, and the distances between its set bits are written with
 * three bits each. A distance of 7 means "7 or more", with the rest in five bits of a second list; 0 ends a word. A header of four bytes
 * holds the algorithm and the number of words. Bits are packed from the lowest up, and the bytes are encoded as base64url without padding.
 * Source: Chromaprint's src/fingerprint_compressor.cpp.
 */

/** fpcalc's algorithm 2, counted from zero. */
const ALGORITHM = 1;
const NORMAL_BITS = 3;
const NORMAL_MAX = 2 ** NORMAL_BITS - 1;
const EXCEPTIONAL_BITS = 5;

export function compressFingerprint(words: Uint32Array): string {
  const distances = listDistances(words);
  const exceptional = distances
    .filter((distance) => distance >= NORMAL_MAX)
    .map((distance) => distance - NORMAL_MAX);
  const header = [ALGORITHM, (words.length >> 16) & 0xff, (words.length >> 8) & 0xff, words.length & 0xff];
  const normal = distances.map((distance) => Math.min(distance, NORMAL_MAX));
  return encodeBase64Url([
    ...header,
    ...packBits(normal, NORMAL_BITS),
    ...packBits(exceptional, EXCEPTIONAL_BITS),
  ]);
}

function listDistances(words: Uint32Array): number[] {
  const distances: number[] = [];
  let previous = 0;
  for (const word of words) {
    let difference = (word ^ previous) >>> 0;
    let lastPosition = 0;
    for (let position = 1; difference !== 0; position++, difference >>>= 1) {
      if ((difference & 1) === 0) continue;
      distances.push(position - lastPosition);
      lastPosition = position;
    }
    distances.push(0);
    previous = word;
  }
  return distances;
}

function packBits(values: readonly number[], bitsPerValue: number): number[] {
  const bytes: number[] = [];
  let buffer = 0;
  let bufferBits = 0;
  for (const value of values) {
    buffer |= value << bufferBits;
    for (bufferBits += bitsPerValue; bufferBits >= 8; bufferBits -= 8) {
      bytes.push(buffer & 0xff);
      buffer >>= 8;
    }
  }
  if (bufferBits > 0) bytes.push(buffer & 0xff);
  return bytes;
}

function encodeBase64Url(bytes: readonly number[]): string {
  const binary = bytes.map((byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
