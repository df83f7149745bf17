import { describe, expect, it } from 'vitest';
import { createPolyphaseWindow, reduceRates } from './polyphase.ts';

it.each([
  [44_100, 22_050, 1, 2],
  [48_000, 22_050, 147, 320],
  [8_000, 22_050, 441, 160],
  [16_000, 16_000, 1, 1],
  [7, 5, 5, 7],
])('%d to %d Hz is %d samples out for %d in', (inputRateHz, outputRateHz, up, down) => {
  expect(reduceRates(inputRateHz, outputRateHz)).toEqual({ up, down });
});

describe('a window of 4 taps at 3 samples out for 5 in', () => {
  const [tapCount, up, down] = [4, 3, 5];

  it('places output n at sample floor(5 n / 3) with phase 5 n mod 3, whatever the pieces', () => {
    for (const pieces of [[30], [1, 2, 0, 27], Array<number>(30).fill(1)]) {
      const window = createPolyphaseWindow(tapCount, up, down, 0);
      const places: number[][] = [];
      let droppedCount = 0;
      for (const sampleCount of pieces) {
        window.heldCount += sampleCount;
        for (let left = window.countReady(); left > 0; left--) {
          places.push([droppedCount + window.start, window.phase]);
          droppedCount += window.advance(1);
        }
      }
      // The last of 30 samples is under the last tap of output 16, at sample 26.
      const expected = Array.from({ length: 17 }, (_, n) => [Math.floor((5 * n) / 3), (5 * n) % 3]);
      expect(places).toEqual(expected);
    }
  });

  it('is ready as soon as all taps have a sample, and moves several outputs at once', () => {
    const window = createPolyphaseWindow(tapCount, up, down, 3);
    expect(window.countReady()).toBe(0);
    window.heldCount++;
    expect(window.countReady()).toBe(1);
    window.heldCount = 20;
    // Outputs 0 to 10 are at samples 0, 1, 3, 5, … 16, so the last one's taps end at sample 19, the last of 20; output 11 is at 18.
    expect(window.countReady()).toBe(11);
    expect(window.advance(11)).toBe(18);
    expect(window).toMatchObject({ heldCount: 2, start: 0, phase: 1 });
  });

  it('remembers samples it must skip that have not arrived', () => {
    const window = createPolyphaseWindow(1, 1, 7, 1);
    expect(window.advance(1)).toBe(1);
    expect(window).toMatchObject({ heldCount: 0, start: 6 });
    window.heldCount = 6;
    expect(window.countReady()).toBe(0);
    window.heldCount = 7;
    expect(window.countReady()).toBe(1);
  });
});
