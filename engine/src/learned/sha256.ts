/**
 * SHA-256 of the bytes of a model, for provenance. Written out here because the engine is pure: node:crypto is I/O's side of the
 * wall and WebCrypto is asynchronous.
 *
 * FIPS 180-4, section 6.2; the letters are the standard's.
 */

import type { Kernels } from '../signal/kernels.ts';

const K = Int32Array.from(firstPrimes(64), (prime) => fractionBits(Math.cbrt(prime)));
const INITIAL = Int32Array.from(firstPrimes(8), (prime) => fractionBits(Math.sqrt(prime)));
const BLOCK_BYTES = 64;
const WORD_BYTES = 4;
const SCHEDULE_WORDS = 64;

export function hashSha256(kernels: Kernels, bytes: Uint8Array): string {
  const { exports } = kernels;
  const mark = exports.markMemory();
  const message = padMessage(bytes);
  const copyWords = (words: Int32Array): number =>
    kernels.copyFloats(new Float32Array(words.slice().buffer)).pointer;
  const [state, constants] = [copyWords(INITIAL), copyWords(K)];
  const schedule = exports.allocate(SCHEDULE_WORDS * WORD_BYTES);
  const blocks = exports.allocate(message.length);
  new Uint8Array(exports.memory.buffer, blocks).set(message);
  exports.hashBlocks(state, constants, schedule, blocks, message.length / BLOCK_BYTES);
  const digest = writeDigest(new Int32Array(exports.memory.buffer, state, INITIAL.length));
  exports.releaseMemory(mark);
  return digest;
}

/** The twin of the kernel. */
export function hashSha256Reference(bytes: Uint8Array): string {
  const h = INITIAL.slice();
  const message = padMessage(bytes);
  const view = new DataView(message.buffer);
  const w = new Int32Array(SCHEDULE_WORDS);
  for (let at = 0; at < message.length; at += BLOCK_BYTES) compress(h, w, view, at);
  return writeDigest(h);
}

/** A one bit, zeros up to a whole block, and at its end the length in bits. */
function padMessage(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = BLOCK_BYTES * Math.ceil((bytes.length + 9) / BLOCK_BYTES);
  const message = new Uint8Array(length);
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, (bytes.length * 8) % 2 ** 32);
  return message;
}

function writeDigest(h: Int32Array): string {
  return Array.from(h, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function compress(h: Int32Array, w: Int32Array, block: DataView, start: number): void {
  for (let t = 0; t < 16; t++) w[t] = block.getInt32(start + 4 * t);
  for (let t = 16; t < 64; t++) {
    const w15 = w[t - 15]!;
    const w2 = w[t - 2]!;
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    w[t] = (w[t - 16]! + s0 + w[t - 7]! + s1) | 0;
  }
  let a = h[0]!;
  let b = h[1]!;
  let c = h[2]!;
  let d = h[3]!;
  let e = h[4]!;
  let f = h[5]!;
  let g = h[6]!;
  let last = h[7]!;
  for (let t = 0; t < 64; t++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (last + sum1 + ((e & f) ^ (~e & g)) + K[t]! + w[t]!) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    last = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  h[0] = (h[0]! + a) | 0;
  h[1] = (h[1]! + b) | 0;
  h[2] = (h[2]! + c) | 0;
  h[3] = (h[3]! + d) | 0;
  h[4] = (h[4]! + e) | 0;
  h[5] = (h[5]! + f) | 0;
  h[6] = (h[6]! + g) | 0;
  h[7] = (h[7]! + last) | 0;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** First 32 bits after the point. */
function fractionBits(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
