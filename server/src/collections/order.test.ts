import { expect, it } from 'vitest';
import { type MixSong, mixOf, scoreOf } from '../library/mixing.ts';
import { proposeOrder } from './order.ts';

const song = (camelot: string, bpm: number, energy: number) => ({ camelot, bpm, energy });

it('sorts by energy or tempo, with songs that have none last, in the given order', async () => {
  const unknown = (camelot: string) => ({ camelot, bpm: null, energy: null });
  const songs = [song('1A', 130, 0.1), unknown('2A'), unknown('3A'), song('4A', 120, 0.9)];
  const sorted = async (by: 'energy' | 'bpm') =>
    (await proposeOrder(songs, by)).map((step) => step.song.camelot);
  expect(await sorted('energy')).toEqual(['1A', '4A', '2A', '3A']);
  expect(await sorted('bpm')).toEqual(['4A', '1A', '2A', '3A']);
  const [first] = await proposeOrder(songs, 'bpm');
  expect(first).toMatchObject({ mix: null, reason: 'the slowest comes first' });
});

it.each([
  ['harmonic', 'the energy of no song is known'],
  ['energy', 'the energy of no song is known'],
  ['bpm', 'the tempo of no song is known'],
] as const)('by %s claims nothing about the first of songs without a value', async (by, reason) => {
  const unknown = { camelot: '2A', bpm: null, energy: null };
  expect((await proposeOrder([unknown, { ...unknown }], by))[0]!.reason).toBe(reason);
});

it('goes round the wheel one step at a time where the songs allow it', async () => {
  const shuffled = [5, 2, 7, 1, 3, 8, 6, 4].map((hour) => song(`${hour}A`, 124, hour / 100));
  const order = await proposeOrder(shuffled, 'harmonic');
  expect(order.map((step) => step.song.camelot)).toEqual(['1A', '2A', '3A', '4A', '5A', '6A', '7A', '8A']);
  expect(order.slice(1).every((step) => step.mix?.keyRelation === 'fifth_up')).toBe(true);
});

const totalScore = (songs: readonly MixSong[]) =>
  songs.slice(1).reduce((sum, next, index) => sum + scoreOf(mixOf(songs[index]!, next)), 0);

/** Starts with the first song and always continues with the best match. */
function nearestNeighbourOrder(songs: readonly MixSong[]): MixSong[] {
  const [first, ...remaining] = songs;
  const order = [first!];
  while (remaining.length > 0) {
    const scores = remaining.map((next) => scoreOf(mixOf(order.at(-1)!, next)));
    order.push(...remaining.splice(scores.indexOf(Math.max(...scores)), 1));
  }
  return order;
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}

it('finds the best of all 120 orders where the nearest neighbour does not', async () => {
  const songs = [7, 2, 11, 7, 8, 6].map((hour, index) => song(`${hour}A`, 124, (index + 1) / 100));
  const [first, ...others] = songs;
  const best = Math.max(...[...permutations(others)].map((rest) => totalScore([first!, ...rest])));
  expect(totalScore(nearestNeighbourOrder(songs))).toBeLessThan(best - 0.1);
  const ordered = (await proposeOrder(songs, 'harmonic')).map((step) => step.song);
  // Sums of the same scores in another order: they differ by rounding at most.
  expect(totalScore(ordered)).toBeCloseTo(best, 9);
});

it('leaves more than 300 songs in nearest-neighbour order, and improves 300', async () => {
  const make = (count: number) =>
    Array.from({ length: count }, (_, n) => song(`${((n * 7) % 12) + 1}A`, 100 + ((n * 13) % 40), n / 1000));
  const orderOf = async (count: number) =>
    (await proposeOrder(make(count), 'harmonic')).map((step) => step.song);
  expect(await orderOf(301)).toEqual(nearestNeighbourOrder(make(301)));
  const gain = totalScore(await orderOf(300)) - totalScore(nearestNeighbourOrder(make(300)));
  expect(gain).toBeGreaterThan(0);
});

it('scores more than the given order, and keeps every song', async () => {
  const songs = Array.from({ length: 30 }, (_, n) =>
    song(`${((n * 7) % 12) + 1}${n % 3 ? 'A' : 'B'}`, 110 + ((n * 13) % 30), ((n * 17) % 100) / 100),
  );
  const ordered = (await proposeOrder(songs, 'harmonic')).map((step) => step.song);
  expect(new Set(ordered).size).toBe(30);
  expect(totalScore(ordered)).toBeGreaterThan(totalScore(songs));
});

it('accepts an empty collection', async () => {
  expect(await proposeOrder([], 'harmonic')).toEqual([]);
});

it('yields to other requests while it orders thousands of songs', async () => {
  const songs = Array.from({ length: 4_000 }, (_, n) =>
    song(`${((n * 7) % 12) + 1}${n % 3 ? 'A' : 'B'}`, 80 + ((n * 31) % 90), ((n * 17) % 100) / 100),
  );
  let [isDone, otherTurnsCount] = [false, 0];
  const takeTurn = () => {
    otherTurnsCount += 1;
    if (!isDone) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  const order = await proposeOrder(songs, 'harmonic');
  isDone = true;
  expect(new Set(order.map((step) => step.song)).size).toBe(4_000);
  // Without yielding there would be none; ordering 4,000 songs takes many times the 20 ms allowed at once.
  expect(otherTurnsCount).toBeGreaterThan(3);
});
