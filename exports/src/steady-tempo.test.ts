import { expect, it } from 'vitest';
import { steadyTempo } from './steady-tempo.ts';

const gridOf = (timesSeconds: number[]) =>
  timesSeconds.map((timeSeconds) => ({ timeSeconds, isDownbeat: false, isTracked: true }));
/** Forty beats from 1 s at 120 BPM, of which the first ones are late. */
const late = (beatCount: number, bySeconds: number) =>
  Array.from({ length: 40 }, (_, index) => 1 + index / 2 + (index < beatCount ? bySeconds : 0));

it('is the line through evenly spaced beats', () => {
  const tempo = steadyTempo(gridOf([1, 1.5, 2, 2.5]))!;
  // Exact but for the rounding of floats.
  expect(tempo.startSeconds).toBeCloseTo(1, 12);
  expect(tempo.secondsPerBeat).toBeCloseTo(0.5, 12);
});

it('counts filled-in beats, but does not fit the line to them', () => {
  const grid = gridOf([1, 1.9, 2, 2.5]).map((beat, index) => ({ ...beat, isTracked: index !== 1 }));
  expect(steadyTempo(grid)?.secondsPerBeat).toBeCloseTo(0.5, 12);
});

it('allows one beat in twenty to be off by more than 25 ms', () => {
  expect(steadyTempo(gridOf(late(2, 0.04)))).not.toBeNull();
  expect(steadyTempo(gridOf(late(3, 0.04)))).toBeNull();
  // Early and late in turn, symmetrically about the middle, so that the line stays where it is.
  const swaying = (bySeconds: number) =>
    late(0, 0).map(
      (time, index) => time + (Math.floor(Math.abs(index - 19.5)) % 2 === 0 ? bySeconds : -bySeconds),
    );
  expect(steadyTempo(gridOf(swaying(0.0249)))).not.toBeNull();
  expect(steadyTempo(gridOf(swaying(0.0251)))).toBeNull();
});

it('allows no beat to be off by more than 70 ms', () => {
  // The line follows a late first beat by less than a tenth of its delay.
  expect(steadyTempo(gridOf(late(1, 0.07)))).not.toBeNull();
  expect(steadyTempo(gridOf(late(1, 0.08)))).toBeNull();
});

it('is null for a tempo that moves, and for fewer than two beats', () => {
  expect(steadyTempo(gridOf(Array.from({ length: 20 }, (_, index) => index ** 1.1)))).toBeNull();
  expect(steadyTempo(gridOf([1]))).toBeNull();
});
