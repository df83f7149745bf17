/**
 * The ratio of two sampling rates, and the position of a polyphase filter in its input: in integers, exact for streams of any length.
 */

/** `up` samples out for every `down` samples in, in lowest terms. */
export function reduceRates(inputRateHz: number, outputRateHz: number): { up: number; down: number } {
  const divisor = greatestCommonDivisor(inputRateHz, outputRateHz);
  return { up: outputRateHz / divisor, down: inputRateHz / divisor };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

export type PolyphaseWindow = {
  /** The number of input samples in the buffer; the caller adds those that it appends. */
  heldCount: number;
  /** Index in the buffer of the sample under the first tap of the next output. */
  readonly start: number;
  /** Phase of the next output, in units of 1/up input samples. */
  readonly phase: number;
  /** The number of outputs that can be computed from the buffer. */
  countReady(): number;
  /** Moves past `count` outputs; returns how many samples to drop from the front of the buffer, and subtracts them from `heldCount`. */
  advance(count: number): number;
};

export function createPolyphaseWindow(
  tapCount: number,
  up: number,
  down: number,
  heldCount: number,
): PolyphaseWindow {
  let start = 0;
  let phase = 0;
  return {
    heldCount,
    get start() {
      return start;
    },
    get phase() {
      return phase;
    },
    countReady() {
      const room = this.heldCount - tapCount - start;
      return room < 0 ? 0 : Math.floor(((room + 1) * up - 1 - phase) / down) + 1;
    },
    advance(count) {
      const units = phase + count * down;
      start += Math.floor(units / up);
      phase = units % up;
      const dropped = Math.min(start, this.heldCount);
      start -= dropped;
      this.heldCount -= dropped;
      return dropped;
    },
  };
}
