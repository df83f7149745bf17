import { expect, it } from 'vitest';
import { quantise, readSegmentSound } from './segment-sounds.ts';

/** Pads the numbers with zeros to twelve. */
const twelve = (...first: number[]) => [...first, ...new Array<number>(12 - first.length).fill(0)];
const quantiseSegments = (pitches: number[], timbre: number[]) =>
  quantise(Float64Array.from(pitches), Float64Array.from(timbre));

it('rounds pitches to 255ths and timbre to fiftieths, segment by segment', () => {
  const sounds = quantiseSegments(
    [...twelve(1), ...twelve(0.2, 0.999)],
    [...twelve(60), ...twelve(0, -30.011)],
  );
  expect(sounds.segmentCount).toBe(2);
  expect([...sounds.pitches]).toEqual([...twelve(255), ...twelve(51, 255)]);
  expect([...sounds.timbre]).toEqual([...twelve(3000), ...twelve(0, -1501)]);
  expect(readSegmentSound(sounds, 0)).toEqual({ pitches: twelve(1), timbre: twelve(60) });
  expect(readSegmentSound(sounds, 1)).toEqual({ pitches: twelve(0.2, 1), timbre: twelve(0, -30.02) });
});

it('drops the pitches of a silent segment', () => {
  const sounds = quantiseSegments(twelve(1, 1), twelve());
  expect(readSegmentSound(sounds, 0)).toEqual({ pitches: twelve(), timbre: twelve() });
});

it('clamps timbre to the range of 16 bits', () => {
  expect([...quantiseSegments(twelve(), twelve(1000, -1000)).timbre]).toEqual(twelve(32_767, -32_767));
});

it('gives empty arrays for no segments', () => {
  const empty = { segmentCount: 0, pitches: new Uint8Array(0), timbre: new Int16Array(0) };
  expect(quantiseSegments([], [])).toEqual(empty);
});
