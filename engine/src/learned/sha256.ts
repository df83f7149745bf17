/**
 * Which weights were used? The SHA-256 of a model file, for its provenance. Computed by our own kernel, because the engine also runs
 * without Node and WebCrypto is asynchronous. The kernel's oracle is node:crypto, in the tests.
 *
 * FIPS 180-4, section 6.2.
 */

import type { Kernels } from '../signal/kernels.ts';

const ROUND_CONSTANTS = Int32Array.from(firstPrimes(64), (prime) => fractionBits(Math.cbrt(prime)));
const INITIAL_HASH = Int32Array.from(firstPrimes(8), (prime) => fractionBits(Math.sqrt(prime)));
const BLOCK_BYTES = 64;
const WORD_BYTES = 4;
const SCHEDULE_WORDS = 64;

export function hashSha256(kernels: Kernels, bytes: Uint8Array): string {
  const { exports } = kernels;
  const mark = exports.markMemory();
  const message = padMessage(bytes);
  const copyWords = (words: Int32Array): number =>
    kernels.copyFloats(new Float32Array(words.slice().buffer)).pointer;
  const [state, constants] = [copyWords(INITIAL_HASH), copyWords(ROUND_CONSTANTS)];
  const schedule = exports.allocate(SCHEDULE_WORDS * WORD_BYTES);
  const blocks = exports.allocate(message.length);
  new Uint8Array(exports.memory.buffer, blocks).set(message);
  exports.hashBlocks(state, constants, schedule, blocks, message.length / BLOCK_BYTES);
  const digest = writeDigest(new Int32Array(exports.memory.buffer, state, INITIAL_HASH.length));
  exports.releaseMemory(mark);
  return digest;
}

/** Appends a one bit, zeros up to a whole block, and the length in bits as its last 8 bytes. */
function padMessage(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const lengthBytes = BLOCK_BYTES * Math.ceil((bytes.length + 9) / BLOCK_BYTES);
  const message = new Uint8Array(lengthBytes);
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  view.setUint32(lengthBytes - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(lengthBytes - 4, (bytes.length * 8) % 2 ** 32);
  return message;
}

function writeDigest(words: Int32Array): string {
  return Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The first 32 bits after the binary point. */
function fractionBits(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
