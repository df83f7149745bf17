/** What polyphase filters count: the ratio of two rates, and where a streaming filter stands in the samples it holds, exactly for any length. */

/** So many samples out for so many in, both as small as can be. */
export function reduceRates(inputRateHz: number, outputRateHz: number): { up: number; down: number } {
  const divisor = greatestCommonDivisor(inputRateHz, outputRateHz);
  return { up: outputRateHz / divisor, down: inputRateHz / divisor };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

export type PolyphaseWindow = {
  /** Samples held at present. */
  heldCount: number;
  /** Index of the held sample under the first tap of the next output. */
  readonly start: number;
  /** Of the next output, in units of 1/up samples. */
  readonly phase: number;
  /** Outputs that can be computed from what is held. */
  countReady(): number;
  /** Moves past `count` outputs; returns how many samples may be dropped from the front, and takes them off the count. */
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
