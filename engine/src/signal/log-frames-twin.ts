import type { LogScale } from './log-frames.ts';

const wordView = new Int32Array(1);
const floatView = new Float32Array(wordView.buffer);
const SERIES = [2 / 9, 2 / 7, 2 / 5, 2 / 3, 2].map(Math.fround);
const LN2 = Math.fround(Math.LN2);

/** The twin of the kernel `takeLogarithms`, for one value; every step is rounded to 32 bits, in the order of the kernel. */
export function takeLogarithmTwin(x: number, options: Required<LogScale>): number {
  const [gain, shift, floor, scale, offset] = [
    options.gain,
    options.shift,
    options.floor,
    options.scale,
    options.offset,
  ].map(Math.fround) as [number, number, number, number, number];
  floatView[0] = Math.max(Math.fround(Math.fround(x * gain) + shift), floor);
  const n = (wordView[0]! - 0x3f3504f3) >> 23;
  wordView[0] = wordView[0]! - (n << 23);
  const m = floatView[0]!;
  const s = Math.fround(Math.fround(m - 1) / Math.fround(m + 1));
  const square = Math.fround(s * s);
  let series = SERIES[0]!;
  for (let k = 1; k < SERIES.length; k++) series = Math.fround(Math.fround(series * square) + SERIES[k]!);
  const logarithm = Math.fround(Math.fround(n * LN2) + Math.fround(series * s));
  return Math.fround(Math.fround(logarithm * scale) + offset);
}
