import { describe, expect, it } from 'vitest';
import { CHORD_CLASS_COUNT, createChordActivation, NO_CHORD, normaliseLogRow } from './chord-activation.ts';
import { decodeChords } from './chord-decoder.ts';
import { createChordGrid } from './chord-grid.ts';
import { makeBeats } from './test-progressions.ts';

/** Ten frames a second; each frame prefers its chord over all others by `leadLogOdds`. */
function makeActivation(chords: readonly number[], leadLogOdds: number) {
  const activation = createChordActivation(10, chords.length, 'classical');
  chords.forEach((chord, frame) => {
    activation.logProbabilities[frame * CHORD_CLASS_COUNT + chord] = leadLogOdds;
    normaliseLogRow(activation.logProbabilities, frame * CHORD_CLASS_COUNT, CHORD_CLASS_COUNT);
  });
  return activation;
}
const repeat = (chord: number, count: number): number[] => Array.from({ length: count }, () => chord);
const decode = (
  chords: readonly number[],
  leadLogOdds: number,
  beatSeconds: number | null,
  silent = new Uint8Array(chords.length),
) => {
  const seconds = chords.length / 10;
  const beats = beatSeconds === null ? [] : makeBeats(seconds, beatSeconds);
  return decodeChords(makeActivation(chords, leadLogOdds), createChordGrid(beats, 10, seconds, []), silent);
};

describe('decoding', () => {
  it('changes the chord at the beat, in spans that tile the piece', () => {
    const spans = decode([...repeat(0, 20), ...repeat(21, 20)], 3, 0.5);
    expect(spans.map(({ startSeconds, endSeconds, chord }) => [startSeconds, endSeconds, chord])).toEqual([
      [0, 2, 0],
      [2, 4, 21],
    ]);
  });

  it('moves a change that is a frame off to the beat', () => {
    const spans = decode([...repeat(0, 21), ...repeat(21, 19)], 3, 0.5);
    expect(spans.map(({ endSeconds }) => endSeconds)).toEqual([2, 4]);
  });

  it('ignores a short chord with less evidence than two changes cost', () => {
    const flicker = [...repeat(5, 20), ...repeat(8, 5), ...repeat(5, 20)];
    expect(decode(flicker, 1, 0.5).map(({ chord }) => chord)).toEqual([5]);
    expect(decode(flicker, 6, 0.5).map(({ chord }) => chord)).toEqual([5, 8, 5]);
  });

  it('changes the chord between any two frames when there are no beats', () => {
    const spans = decode([...repeat(3, 17), ...repeat(14, 33)], 3, null);
    expect(spans.map(({ chord }) => chord)).toEqual([3, 14]);
    // Frame 17 is centred at 1.7 s, so the change is half a frame earlier.
    expect(spans[0]!.endSeconds).toBeCloseTo(1.65, 6);
  });

  it('may change the chord halfway between beats', () => {
    const chords = [...repeat(0, 36), ...repeat(7, 36)];
    expect(decode(chords, 3, 2.4)[0]!.endSeconds).toBeCloseTo(3.6, 9);
  });

  it.each([
    // Changing where the chord does, at 2.5 s or 4.5 s, gains five frames over changing at the downbeat half a second earlier.
    ['a beat rather than at the downbeat before, for 6 log-odds', 0.5, 25, 6, 2],
    ['a half beat rather than at the downbeat before, for 10 log-odds', 1, 45, 10, 4],
  ])('changes the chord at %s', (_name, beatSeconds, changeFrame, costLogOdds, downbeatSeconds) => {
    const chords = [...repeat(0, changeFrame), ...repeat(7, 80 - changeFrame)];
    const changeAt = (leadLogOdds: number) => decode(chords, leadLogOdds, beatSeconds)[0]!.endSeconds;
    expect(changeAt((1.05 * costLogOdds) / 5)).toBe(changeFrame / 10);
    expect(changeAt((0.95 * costLogOdds) / 5)).toBe(downbeatSeconds);
  });

  it('changes the chord at a downbeat for more than 6 log-odds', () => {
    const chords = [...repeat(0, 20), ...repeat(7, 20)];
    expect(decode(chords, 6.1 / 20, 0.5).map(({ chord }) => chord)).toEqual([0, 7]);
    expect(decode(chords, 5.9 / 20, 0.5).map(({ chord }) => chord)).toEqual([0]);
  });

  it('finds no chord in two silent frames, but ignores a single one', () => {
    const endingIn = (count: number) =>
      decode(repeat(4, 40), 3, null, new Uint8Array(40).fill(1, 40 - count));
    expect(endingIn(1).map(({ chord }) => chord)).toEqual([4]);
    expect(endingIn(2).map(({ chord }) => chord)).toEqual([4, NO_CHORD]);
  });

  it('finds no chord in silence', () => {
    const silent = new Uint8Array(40).fill(1, 0, 20);
    expect(decode(repeat(4, 40), 3, 0.5, silent).map(({ chord }) => chord)).toEqual([NO_CHORD, 4]);
  });

  it.each([0, 4, NO_CHORD])('measures the margin of chord %i over the next best', (chord) => {
    // Every frame prefers the chord by 2.5 over any other.
    const spans = decode(repeat(chord, 40), 2.5, 0.5);
    expect(spans.map(({ leadLogOdds }) => leadLogOdds)).toEqual([expect.closeTo(2.5, 5)]);
    const last = decode([...repeat(9, 20), ...repeat(chord, 20)], 2.5, 0.5).at(-1)!;
    expect(last).toMatchObject({ chord, leadLogOdds: expect.closeTo(2.5, 5) });
  });

  it('finds no spans without frames', () => {
    expect(decode([], 1, null)).toEqual([]);
    expect(decodeChords(makeActivation([], 1), createChordGrid([], 10, 2, []), new Uint8Array(0))).toEqual(
      [],
    );
  });
});
