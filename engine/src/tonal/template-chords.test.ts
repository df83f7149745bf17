import { describe, expect, it } from 'vitest';
import type { FloatFrames } from '../signal/frame-matrix.ts';
import { CHORD_CLASS_COUNT, NO_CHORD } from './chord-activation.ts';
import { matchChordTemplates } from './template-chords.ts';

/** More than two windows of the kernels. */
const FRAMES = 600;

/** A chroma whose frames have these pitch classes at a level. */
function makeRows(sounding: (frame: number) => { pitchClasses: number[]; level?: number }): FloatFrames {
  const data = new Float32Array(FRAMES * 12);
  for (let frame = 0; frame < FRAMES; frame++) {
    const { pitchClasses, level = 1 } = sounding(frame);
    for (const pitchClass of pitchClasses) data[frame * 12 + (pitchClass % 12)] = level;
  }
  return { frameRateHz: 10, binCount: 12, frameCount: FRAMES, data };
}
const triad = (chord: number): number[] =>
  chord < 12 ? [chord, chord + 4, chord + 7] : [chord, chord + 3, chord + 7];
const row = (values: Float32Array, frame: number): Float32Array =>
  values.subarray(frame * CHORD_CLASS_COUNT, (frame + 1) * CHORD_CLASS_COUNT);
const mostProbable = (values: Float32Array): number => values.indexOf(Math.max(...values));

describe('templates', () => {
  it('recognise every triad by its tones, in every frame', () => {
    const middle = makeRows((frame) => ({ pitchClasses: triad(frame % 24) }));
    const bass = makeRows((frame) => ({ pitchClasses: [frame % 24] }));
    const activation = matchChordTemplates({ middle, bass });
    expect(activation).toMatchObject({ frameRateHz: 10, frameCount: FRAMES, source: 'classical' });
    for (let frame = 0; frame < FRAMES; frame++) {
      const values = row(activation.logProbabilities, frame);
      expect(mostProbable(values)).toBe(frame % 24);
      expect(values.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1, 5);
    }
  });

  it('decide between two triads with the same tones by the bass of the frame', () => {
    // C E G A is C with a sixth, or A minor with a seventh.
    const middle = makeRows(() => ({ pitchClasses: [0, 4, 7, 9] }));
    const bass = makeRows((frame) => ({ pitchClasses: [frame % 3 === 0 ? 0 : 9] }));
    const { logProbabilities } = matchChordTemplates({ middle, bass });
    for (let frame = 0; frame < FRAMES; frame++) {
      expect(mostProbable(row(logProbabilities, frame))).toBe(frame % 3 === 0 ? 0 : 21);
    }
    // With C in the bass, the root counts 1, the third of A minor 0.3 and the fifth of F 0.4, each times 0.4. F has one tone less. A twentieth is
    // added to the norms, which are 2 and 1.
    const [onC, lead] = [row(logProbabilities, 0), (bassLead: number) => (10 * 0.4 * bassLead) / 1.05];
    expect(onC[0]! - onC[21]!).toBeCloseTo(lead(1 - 0.3), 4);
    expect(onC[0]! - onC[5]!).toBeCloseTo(lead(1 - 0.4) + 10 / (Math.sqrt(3) * 2.1), 4);
  });

  it('do not depend on the level of the recording, but find no chord far below its mean level', () => {
    const makeSong = (level: number) =>
      matchChordTemplates({
        middle: makeRows((frame) => ({ pitchClasses: triad(5), level: frame < 500 ? level : level / 200 })),
        bass: makeRows((frame) => ({ pitchClasses: [5], level: frame < 500 ? level : level / 200 })),
      }).logProbabilities;
    const [loud, quiet] = [makeSong(64), makeSong(1)];
    expect([100, 550].map((frame) => mostProbable(row(loud, frame)))).toEqual([5, NO_CHORD]);
    quiet.forEach((value, index) => {
      expect(value).toBeCloseTo(loud[index]!, 4);
    });
  });

  it('give no chord a score of a half', () => {
    const nothing = makeRows(() => ({ pitchClasses: [] }));
    const values = row(matchChordTemplates({ middle: nothing, bass: nothing }).logProbabilities, 7);
    // Ten log-odds per unit of score: five for no chord, none for the 24 triads.
    expect(Math.exp(values[NO_CHORD]!)).toBeCloseTo(Math.exp(5) / (Math.exp(5) + 24), 5);
  });

  it('give no probabilities without frames', () => {
    const empty = { frameRateHz: 10, binCount: 12, frameCount: 0, data: new Float32Array(0) };
    expect(matchChordTemplates({ middle: empty, bass: empty }).logProbabilities).toHaveLength(0);
  });
});
