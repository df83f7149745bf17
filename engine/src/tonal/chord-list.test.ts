import { describe, expect, it } from 'vitest';
import type { KeySpan } from '../result.ts';
import { NO_CHORD } from './chord-activation.ts';
import { listChords } from './chord-list.ts';
import { refineQuality } from './chord-quality.ts';
import { makeBeats } from './test-progressions.ts';

const DURATION_SECONDS = 8;
/** Each row of twelve values fills an equal part of the frames. */
function makeChroma(...rows: (readonly number[])[]) {
  const frameCount = 10 * DURATION_SECONDS;
  const partValues = (12 * frameCount) / rows.length;
  const data = Float32Array.from(
    { length: 12 * frameCount },
    (_, i) => rows[Math.floor(i / partValues)]![i % 12]!,
  );
  return { frameRateHz: 10, binCount: 12, frameCount, data };
}
const C_MAJOR = makeChroma([4, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 1]);
const key = (
  startSeconds: number,
  endSeconds: number,
  name: KeySpan['key'],
  scale: KeySpan['scale'],
): KeySpan => ({
  startSeconds,
  endSeconds,
  key: name,
  scale,
  confidence: 1,
});
const span = (startSeconds: number, endSeconds: number, chord: number, leadLogOdds = 1) => ({
  startSeconds,
  endSeconds,
  chord,
  leadLogOdds,
});
const IN_C = [key(0, DURATION_SECONDS, 'C', 'major')];

describe('a chord in a result', () => {
  it('is spelled in the key at its middle', () => {
    const keys = [key(0, 4, 'C', 'major'), key(4, 8, 'Eb', 'major'), key(8, 9, 'E', 'major')];
    const spans = [span(0, 3, 1), span(3, 5, 1), span(5, 8, 1)];
    const { chords } = listChords(spans, C_MAJOR, keys, [], 'classical');
    expect(chords.map(({ label, roman }) => [label, roman])).toEqual([
      ['Db:maj', 'bII'],
      // Its middle is where the second key starts.
      ['Db:maj', 'bVII'],
      ['Db:maj', 'bVII'],
    ]);
    const sharp = listChords([span(0, 8, 13)], C_MAJOR, [key(0, 8, 'E', 'major')], [], 'classical');
    expect(sharp.chords[0]).toMatchObject({ label: 'C#:min', roman: 'vi' });
  });

  it('has no Roman numeral without a key', () => {
    const { chords } = listChords([span(0, 8, 0)], C_MAJOR, [], [], 'classical');
    expect(chords[0]).toMatchObject({ label: 'C:maj', roman: null, startSeconds: 0, endSeconds: 8 });
  });

  it('is N in both lists where there is no chord', () => {
    const { chords, chordsSevenths } = listChords(
      [span(0, 8, NO_CHORD)],
      C_MAJOR,
      IN_C,
      makeBeats(8),
      'classical',
    );
    expect(chords).toEqual([
      {
        startSeconds: 0,
        endSeconds: 8,
        bar: 0,
        beat: 1,
        label: 'N',
        roman: null,
        // A lead of 1 on the curve of the templates.
        confidence: expect.closeTo(1 / (1 + Math.exp(-(1.2 + 0.89))), 12),
      },
    ]);
    expect(chordsSevenths).toEqual(chords);
    expect(chordsSevenths[0]).not.toBe(chords[0]);
  });

  it('has a seventh in the list of sevenths, and its share of the confidence of the triad', () => {
    // C E G Bb, then D F A C.
    const chroma = makeChroma(
      [4, 0, 0, 0, 2.2, 0, 0, 3, 0, 0, 2.2, 0],
      [2.4, 0, 4, 0, 0, 2.4, 0, 0, 0, 3, 0, 0],
    );
    const spans = [span(0, 4, 0), span(4, 8, 14)];
    const { chords, chordsSevenths } = listChords(spans, chroma, IN_C, makeBeats(8), 'classical');
    expect(chords).toMatchObject([
      { label: 'C:maj', roman: 'I', bar: 0, beat: 1 },
      { label: 'D:min', roman: 'ii', bar: 2, beat: 1 },
    ]);
    const withSeventh = (index: number, label: string, roman: string) => {
      const { share } = refineQuality(spans[index]!, chroma)!;
      const triad = chords[index]!;
      return { ...triad, label, roman, confidence: share * triad.confidence };
    };
    expect(chordsSevenths).toEqual([withSeventh(0, 'C:7', 'I7'), withSeventh(1, 'D:min7', 'ii7')]);
  });

  it('has the confidence of its lead on the curve of its source', () => {
    const confidenceOf = (leadLogOdds: number, source: 'learned' | 'classical') =>
      listChords([span(0, 8, 0, leadLogOdds)], C_MAJOR, IN_C, [], source).chords[0]!.confidence;
    // Even odds where offset + slope * lead is 0.
    expect(confidenceOf(-0.41 / 0.36, 'learned')).toBeCloseTo(0.5, 12);
    expect(confidenceOf(-1.2 / 0.89, 'classical')).toBeCloseTo(0.5, 12);
    // Three to one is ln 3 in log-odds.
    expect(confidenceOf((Math.log(3) - 0.41) / 0.36, 'learned')).toBeCloseTo(0.75, 12);
    expect(confidenceOf((Math.log(3) - 1.2) / 0.89, 'classical')).toBeCloseTo(0.75, 12);
  });

  it('starts on a beat up to 70 ms after its start, otherwise on the one before', () => {
    const beats = makeBeats(4);
    const spans = [0, 0.429, 0.431, 0.9, 2.1, 7].map((start) => span(start, start + 0.1, 0));
    const { chords } = listChords(spans, C_MAJOR, IN_C, beats, 'classical');
    expect(chords.map(({ bar, beat }) => [bar, beat])).toEqual([
      [0, 1],
      [0, 1],
      [0, 2],
      [0, 2],
      [1, 1],
      [1, 4],
    ]);
    const early = listChords([span(0, 1, 0)], C_MAJOR, IN_C, beats.slice(1), 'classical').chords[0]!;
    expect([early.bar, early.beat]).toEqual([null, null]);
  });
});
