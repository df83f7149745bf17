/** Where a streaming polyphase filter stands in the samples it holds: pure counting, exact for any length of stream. */

export type PolyphaseWindow = {
  /** Samples held at present. */
  heldCount: number;
  /** Held sample under the first tap of the next output. */
  readonly start: number;
  /** Of the next output, in units of 1/up samples. */
  readonly phase: number;
  /** Outputs that can be computed from what is held. */
  countReady(): number;
  /** Moves past `count` outputs; returns how many samples may be dropped from the front, and takes them off the count. */
  advance(count: number): number;
};

export function createPolyphaseWindow(
  taps: number,
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
      const room = this.heldCount - taps - start;
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
