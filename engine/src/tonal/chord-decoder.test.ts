import { describe, expect, it } from 'vitest';
import { CHORD_CLASS_COUNT, createChordActivation, NO_CHORD, normaliseLogRow } from './chord-activation.ts';
import { decodeChords } from './chord-decoder.ts';
import { createChordGrid } from './chord-grid.ts';
import { makeBeats } from './test-progressions.ts';

/** Ten frames a second; each frame prefers its chord by `lead` over all others. */
function makeActivation(chords: readonly number[], lead: number) {
  const activation = createChordActivation(10, chords.length, 'classical');
  chords.forEach((chord, frame) => {
    activation.logProbabilities[frame * CHORD_CLASS_COUNT + chord] = lead;
    normaliseLogRow(activation.logProbabilities, frame * CHORD_CLASS_COUNT, CHORD_CLASS_COUNT);
  });
  return activation;
}
const repeat = (chord: number, count: number): number[] => Array.from({ length: count }, () => chord);
const decode = (chords: readonly number[], lead: number, beatSeconds: number | null, silent?: Uint8Array) => {
  const seconds = chords.length / 10;
  const beats = beatSeconds === null ? [] : makeBeats(seconds, beatSeconds);
  return decodeChords(
    makeActivation(chords, lead),
    createChordGrid(beats, 10, seconds),
    silent ?? new Uint8Array(chords.length),
  );
};

describe('decoding', () => {
  it('changes the chord at the beat, in spans that tile the piece', () => {
    const spans = decode([...repeat(0, 20), ...repeat(21, 20)], 3, 0.5);
    expect(spans.map(({ startSeconds, endSeconds, chord }) => [startSeconds, endSeconds, chord])).toEqual([
      [0, 2, 0],
      [2, 4, 21],
    ]);
  });

  it('moves a change a frame off the beat to the beat', () => {
    const spans = decode([...repeat(0, 21), ...repeat(21, 19)], 3, 0.5);
    expect(spans.map(({ endSeconds }) => endSeconds)).toEqual([2, 4]);
  });

  it('ignores a short chord whose evidence is less than the cost of two changes', () => {
    const flicker = [...repeat(5, 20), ...repeat(8, 5), ...repeat(5, 20)];
    expect(decode(flicker, 1, 0.5).map(({ chord }) => chord)).toEqual([5]);
    expect(decode(flicker, 6, 0.5).map(({ chord }) => chord)).toEqual([5, 8, 5]);
  });

  it('works without beats', () => {
    const spans = decode([...repeat(3, 17), ...repeat(14, 33)], 3, null);
    expect(spans.map(({ chord }) => chord)).toEqual([3, 14]);
    // Frame 17 is centred at 1.7 s, so the change lies half a frame before it.
    expect(spans[0]!.endSeconds).toBeCloseTo(1.65, 6);
  });

  it('lets a chord change between beats', () => {
    const chords = [...repeat(0, 36), ...repeat(7, 36)];
    expect(decode(chords, 3, 2.4)[0]!.endSeconds).toBeCloseTo(3.6, 9);
  });

  it('finds no chord in silence', () => {
    const silent = new Uint8Array(40).fill(1, 0, 20);
    expect(decode(repeat(4, 40), 3, 0.5, silent).map(({ chord }) => chord)).toEqual([NO_CHORD, 4]);
  });

  it.each([0, 4, NO_CHORD])('measures the lead of chord %i over the next best', (chord) => {
    // Every frame prefers the chord by 2.5 over each other.
    const spans = decode(repeat(chord, 40), 2.5, 0.5);
    expect(spans.map(({ leadLogOdds }) => leadLogOdds)).toEqual([expect.closeTo(2.5, 5)]);
    const last = decode([...repeat(9, 20), ...repeat(chord, 20)], 2.5, 0.5).at(-1)!;
    expect(last).toMatchObject({ chord, leadLogOdds: expect.closeTo(2.5, 5) });
  });

  it('finds no spans without frames', () => {
    expect(decode([], 1, null)).toEqual([]);
    expect(decodeChords(makeActivation([], 1), createChordGrid([], 10, 2), new Uint8Array(0))).toEqual([]);
  });
});
