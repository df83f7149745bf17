import { viewOf } from './binary.ts';

/** Reads bits, most significant first, from one packet. Reading past the end gives zeros and sets `overrun`. */
export class BitReader {
  readonly view: DataView;
  readonly bitEnd: number;
  bitPosition: number;
  overrun = false;

  constructor(bytes: Uint8Array, byteOffset = 0) {
    this.view = viewOf(bytes);
    this.bitEnd = bytes.length * 8;
    this.bitPosition = byteOffset * 8;
  }

  /** Up to 25 bits. */
  #take(bitCount: number): number {
    const value = bitCount === 0 ? 0 : peekBits(this.view, this.bitPosition) >>> (32 - bitCount);
    this.skip(bitCount);
    return value;
  }

  /** Up to 41 bits. */
  unsigned(bitCount: number): number {
    if (bitCount <= 25) return this.#take(bitCount);
    const high = this.#take(bitCount - 16);
    return high * 65536 + this.#take(16);
  }

  /** Two's complement, up to 33 bits. */
  signed(bitCount: number): number {
    if (bitCount === 0) return 0;
    const value = this.unsigned(bitCount);
    const half = 2 ** (bitCount - 1);
    return value >= half ? value - 2 * half : value;
  }

  /** The number of 0 bits before the next 1 bit, which is consumed too. */
  unary(): number {
    let zeros = 0;
    for (;;) {
      const run = Math.clz32(peekBits(this.view, this.bitPosition));
      if (run < 25) {
        this.skip(run + 1);
        return zeros + run;
      }
      zeros += 25;
      this.skip(25);
      if (this.overrun) return zeros;
    }
  }

  skip(bitCount: number): void {
    this.bitPosition += bitCount;
    if (this.bitPosition > this.bitEnd) this.overrun = true;
  }

  alignToByte(): void {
    this.bitPosition = (this.bitPosition + 7) & ~7;
  }
}

/**
 * The 32 bits from `bitPosition` on, of which the lowest 7 may be missing. Loops over millions of codes keep the position in a local
 * variable, and store it in the reader when they are done.
 */
export function peekBits(view: DataView, bitPosition: number): number {
  const byte = bitPosition >>> 3;
  if (byte + 4 <= view.byteLength) return view.getInt32(byte) << (bitPosition & 7);
  let word = 0;
  for (let i = 0; i < 4; i++) word = (word << 8) | (byte + i < view.byteLength ? view.getUint8(byte + i) : 0);
  return word << (bitPosition & 7);
}
