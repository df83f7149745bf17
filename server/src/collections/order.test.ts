import { expect, it } from 'vitest';
import { mixOf, scoreOf } from '../library/mixing.ts';
import { proposeOrder } from './order.ts';

const song = (camelot: string, bpm: number, energy: number) => ({ camelot, bpm, energy });

it('by energy and by tempo is a sort, what has none last', async () => {
  const songs = [song('1A', 130, 0.9), { camelot: null, bpm: null, energy: null }, song('2A', 120, 0.1)];
  expect((await proposeOrder(songs, 'energy')).map((step) => step.song.energy)).toEqual([0.1, 0.9, null]);
  expect((await proposeOrder(songs, 'bpm')).map((step) => step.song.bpm)).toEqual([120, 130, null]);
});

it('harmonically goes round the wheel one step at a time where the songs allow it', async () => {
  const shuffled = [5, 2, 7, 1, 3, 8, 6, 4].map((hour) => song(`${hour}A`, 124, hour / 100));
  const order = await proposeOrder(shuffled, 'harmonic');
  expect(order.map((step) => step.song.camelot)).toEqual(['1A', '2A', '3A', '4A', '5A', '6A', '7A', '8A']);
  expect(order.slice(1).every((step) => step.mix?.keyRelation === 'fifth_up')).toBe(true);
});

it('is never worse than the order it was given, and has every song once', async () => {
  const songs = Array.from({ length: 30 }, (_, n) =>
    song(`${((n * 7) % 12) + 1}${n % 3 ? 'A' : 'B'}`, 110 + ((n * 13) % 30), ((n * 17) % 100) / 100),
  );
  const total = (list: readonly ReturnType<typeof song>[]) =>
    list.slice(1).reduce((sum, next, index) => sum + scoreOf(mixOf(list[index]!, next)), 0);
  const ordered = (await proposeOrder(songs, 'harmonic')).map((step) => step.song);
  expect(new Set(ordered).size).toBe(30);
  expect(total(ordered)).toBeGreaterThan(total(songs));
});

it('of nothing is nothing', async () => {
  expect(await proposeOrder([], 'harmonic')).toEqual([]);
});

it('lets other requests go on while it orders thousands', async () => {
  const songs = Array.from({ length: 2_000 }, (_, n) =>
    song(`${((n * 7) % 12) + 1}${n % 3 ? 'A' : 'B'}`, 80 + ((n * 31) % 90), ((n * 17) % 100) / 100),
  );
  let [isDone, othersCount] = [false, 0];
  const others = () => {
    othersCount += 1;
    if (!isDone) setImmediate(others);
  };
  setImmediate(others);
  const order = await proposeOrder(songs, 'harmonic');
  isDone = true;
  expect(new Set(order.map((step) => step.song)).size).toBe(2_000);
  expect(othersCount).toBeGreaterThan(3);
});
