import { expect, it } from 'vitest';
import { quantise, readSegmentSound } from './segment-sounds.ts';

/** Twelve numbers, of which these are the first. */
const twelve = (...first: number[]) => [...first, ...new Array<number>(12 - first.length).fill(0)];
const keep = (pitches: number[], timbre: number[]) => ({
  segmentCount: timbre.length / 12,
  ...quantise(Float64Array.from(pitches), Float64Array.from(timbre)),
});

it('pitches are kept in 255ths and timbre in fiftieths, segment by segment', () => {
  const sounds = keep([...twelve(1), ...twelve(0.2, 0.999)], [...twelve(60), ...twelve(0, -30.011)]);
  expect([...sounds.pitches]).toEqual([...twelve(255), ...twelve(51, 255)]);
  expect([...sounds.timbre]).toEqual([...twelve(3000), ...twelve(0, -1501)]);
  expect(readSegmentSound(sounds, 0)).toEqual({ pitches: twelve(1), timbre: twelve(60) });
  expect(readSegmentSound(sounds, 1)).toEqual({ pitches: twelve(0.2, 1), timbre: twelve(0, -30.02) });
});

it('what has no timbre is silent, and has no pitch either', () => {
  expect(readSegmentSound(keep(twelve(1, 1), twelve()), 0)).toEqual({ pitches: twelve(), timbre: twelve() });
});

it('what lies beyond 16 bits is as far as they reach, either way', () => {
  expect([...keep(twelve(), twelve(1000, -1000)).timbre]).toEqual(twelve(32_767, -32_767));
});

it('of no segments nothing is kept', () => {
  expect(keep([], [])).toEqual({ segmentCount: 0, pitches: new Uint8Array(0), timbre: new Int16Array(0) });
});
