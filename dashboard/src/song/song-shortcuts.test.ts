import { expect, it } from 'vitest';
import { stepFrom } from './song-shortcuts.tsx';

const BEATS_SECONDS = [0.5, 1, 1.5];

it.each([
  [0, 1, 0.5],
  [0.5, 1, 1],
  [1.2, 1, 1.5],
  [1.7, 1, 1.7],
  [1.2, -1, 1],
  // A browser may report a time 10 ms before the beat that it was sent to.
  [0.99, 1, 1.5],
  // A tenth of a second after a beat, back goes to the beat before it.
  [1.1, -1, 0.5],
  [0.5, -1, 0],
] as const)('from %d s a step of %i leads to %d s', (nowSeconds, by, seconds) => {
  expect(stepFrom(BEATS_SECONDS, nowSeconds, by)).toBe(seconds);
});
