/** Reads bits, most significant first, from one packet. Reading past the end gives zeros and sets `overrun`. */
export class BitReader {
  readonly #view: DataView;
  readonly #bitEnd: number;
  position: number;
  overrun = false;

  constructor(bytes: Uint8Array, byteOffset = 0) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#bitEnd = bytes.length * 8;
    this.position = byteOffset * 8;
  }

  /** The next 32 bits, without taking them; the lowest 7 of them may be missing. */
  peek(): number {
    const byte = this.position >>> 3;
    const shift = this.position & 7;
    if (byte + 4 <= this.#view.byteLength) return this.#view.getInt32(byte) << shift;
    let word = 0;
    for (let i = 0; i < 4; i++) {
      word = (word << 8) | (byte + i < this.#view.byteLength ? this.#view.getUint8(byte + i) : 0);
    }
    return word << shift;
  }

  /** Up to 25 bits. */
  #take(count: number): number {
    const value = count === 0 ? 0 : this.peek() >>> (32 - count);
    this.position += count;
    if (this.position > this.#bitEnd) this.overrun = true;
    return value;
  }

  /** Up to 41 bits. */
  unsigned(count: number): number {
    if (count <= 25) return this.#take(count);
    const high = this.#take(count - 16);
    return high * 65536 + this.#take(16);
  }

  /** Two's complement, up to 33 bits. */
  signed(count: number): number {
    if (count === 0) return 0;
    const value = this.unsigned(count);
    const half = 2 ** (count - 1);
    return value >= half ? value - 2 * half : value;
  }

  /** Zeros before the next one; the one is consumed. */
  unary(): number {
    let zeros = 0;
    for (;;) {
      const run = Math.clz32(this.peek());
      if (run < 25) {
        this.#take(run + 1);
        return zeros + run;
      }
      zeros += 25;
      this.position += 25;
      if (this.position > this.#bitEnd) {
        this.overrun = true;
        return zeros;
      }
    }
  }

  /** Fills `out[from..to)` with Rice codes of `parameter` bits (RFC 9639, 9.2.7.2). The decoder lives in this loop. */
  riceRun(out: Int32Array | Float64Array, from: number, to: number, parameter: number): void {
    const view = this.#view;
    const lastFastByte = view.byteLength - 4;
    const fastZerosMax = 24 - parameter;
    const remainderShift = 32 - parameter;
    let position = this.position;
    for (let i = from; i < to; i++) {
      const byte = position >>> 3;
      const word = byte <= lastFastByte ? view.getInt32(byte) << (position & 7) : 0;
      const zeros = Math.clz32(word);
      let value: number;
      if (zeros <= fastZerosMax) {
        // Quotient, stop bit and remainder all lie in the 25 bits that are certain.
        const remainder = parameter === 0 ? 0 : (word << (zeros + 1)) >>> remainderShift;
        value = (zeros << parameter) | remainder;
        position += zeros + 1 + parameter;
      } else {
        this.position = position;
        value = this.unary() * 2 ** parameter + this.unsigned(parameter);
        position = this.position;
        if (this.overrun) return;
      }
      // Zigzag: even codes are positive, odd ones negative.
      out[i] = value < 0x80000000 ? (value >>> 1) ^ -(value & 1) : value % 2 ? -(value + 1) / 2 : value / 2;
    }
    this.position = position;
    if (position > this.#bitEnd) this.overrun = true;
  }

  skip(count: number): void {
    this.position += count;
    if (this.position > this.#bitEnd) this.overrun = true;
  }

  alignToByte(): void {
    this.position = (this.position + 7) & ~7;
  }
}
