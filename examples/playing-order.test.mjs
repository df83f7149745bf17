import { expect, it } from 'vitest';
import { keySteps, orderSongs, tempoChangePercent } from './playing-order.mjs';

it.each([
  ['8A', '8A', 0],
  ['8A', '8B', 1],
  ['8A', '9A', 1],
  ['12A', '1A', 1],
  ['1B', '12B', 1],
  ['2A', '8A', 6],
  ['1A', '9A', 4],
  ['12A', '2B', 3],
])('%s and %s are %i steps apart', (from, to, steps) => {
  expect(keySteps(from, to)).toBe(steps);
});

it.each([
  [128, 128, 0],
  [126, 120, 5],
  // At double and at half tempo.
  [140, 70, 0],
  [63, 120, 5],
  [99, 100, -1],
])('to play at %i BPM, a song of %i BPM changes by %i %%', (fromBpm, toBpm, percent) => {
  expect(tempoChangePercent({ bpm: fromBpm }, { bpm: toBpm })).toBeCloseTo(percent, 9);
});

it('starts with the slowest song and continues with the one that mixes best', () => {
  const songs = [
    { name: 'far key', bpm: 120, camelot: '2A' },
    { name: 'slowest', bpm: 120 / 1.2, camelot: '8A' },
    { name: 'same key, 20 % faster', bpm: 120, camelot: '8A' },
    { name: 'two steps, double tempo', bpm: 200, camelot: '10A' },
  ];
  // 2 steps cost 6 %; then 2 steps and 17 % (against 4 steps and 17 %); 6 steps come last.
  expect(orderSongs(songs).map(({ name }) => name)).toEqual([
    'slowest',
    'two steps, double tempo',
    'same key, 20 % faster',
    'far key',
  ]);
  expect(orderSongs([])).toEqual([]);
});
