import { describe, expect, it } from 'vitest';
import type { FloatFrames } from '../signal/frame-matrix.ts';
import { type BarVectors, describeBars } from './bar-features.ts';

/** Two bars of two seconds. Centring leaves half their difference in each, with opposite signs. */
const EDGES_SECONDS = [0, 2, 4];
const MEL = { rateHz: 50, bands: 81 };
const PITCH = { rateHz: 10, bands: 144 };
type Fill = (frame: number, band: number) => number;

function makeFrames({ rateHz, bands }: typeof MEL, fill: Fill): FloatFrames {
  const frameCount = 4 * rateHz;
  const data = Float32Array.from({ length: frameCount * bands }, (_, i) =>
    fill(Math.floor(i / bands), i % bands),
  );
  return { frameRateHz: rateHz, binCount: bands, frameCount, data };
}
const describeFrames = (mel: Fill, pitch: Fill, rms = 1, tuningCents = 0) =>
  describeBars(EDGES_SECONDS, makeFrames(MEL, mel), makeFrames(PITCH, pitch), rms, tuningCents);
const none: Fill = () => 0;
/** Indices and values of a bar's non-zero entries. */
const entries = ({ width, data }: BarVectors, bar: number): [number, number][] =>
  [...data.subarray(bar * width, (bar + 1) * width)].flatMap((value, at): [number, number][] =>
    Math.abs(value) > 1e-6 ? [[at, Number(value.toFixed(4))]] : [],
  );

describe('a bar', () => {
  it('has a rise at the sixteenth and the band group where a sound begins, however long it lasts', () => {
    // A bar has 100 frames: the sixth sixteenth of the second one starts at frame 131 and the seventh at 138.
    const { rhythm } = describeFrames(
      (frame, band) => (frame >= 131 && band >= 18 && band < 27 ? 3 : 0),
      none,
    );
    expect(rhythm).toMatchObject({ barCount: 2, width: 16 * 9 });
    expect(entries(rhythm, 1)).toEqual([[5 * 9 + 2, 1]]);
    expect(entries(rhythm, 0)).toEqual([[5 * 9 + 2, -1]]);
  });

  it('has no rise at the first frame of the recording, which has no predecessor', () => {
    const { rhythm } = describeFrames(() => 3, none);
    expect(entries(rhythm, 0)).toEqual([]);
    const second = describeFrames((frame) => (frame >= 1 ? 3 : 0), none).rhythm;
    expect(entries(second, 0).map(([at]) => at)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('has the mean level of each eighth and band group, whether the eighth has twelve frames or thirteen', () => {
    const { sound } = describeFrames((frame, band) => (frame < 100 && band >= 3 && band < 6 ? 3 : 0), none);
    expect(sound).toMatchObject({ barCount: 2, width: 8 * 27 });
    expect(entries(sound, 0)).toEqual(Array.from({ length: 8 }, (_, at) => [at * 27 + 1, 0.3536]));
    // The third eighth starts at frame 25 and the fourth at 38.
    const third = describeFrames(
      (frame, band) => (frame >= 25 && frame < 38 && band < 3 ? 3 : 0),
      none,
    ).sound;
    expect(entries(third, 0)).toEqual([[2 * 27, 1]]);
  });

  it('has the cosine transform of its mean spectrum as its timbre', () => {
    // The logarithms are 1 + cos(3 π (band + 1/2) / 81), the sum of basis functions 0 and 3.
    const shape: Fill = (frame, band) =>
      frame < 100 ? (Math.exp(1 + Math.cos((3 * Math.PI * (band + 0.5)) / 81)) - 1) / 10 : 0;
    const { timbre } = describeFrames(shape, none);
    expect(timbre).toMatchObject({ barCount: 2, width: 20 });
    // 81 / √2 and 81 / 2, that is √2 : 1, scaled to unit length.
    expect(entries(timbre, 0)).toEqual([
      [0, 0.8165],
      [3, 0.5774],
    ]);
  });

  it('has the semitones of each eighth, over three octaves from C4', () => {
    // Frames 28 and 29 are the fourth eighth of the second bar.
    const tone =
      (band: number): Fill =>
      (frame, at) =>
        frame >= 28 && frame < 30 && at === band ? 40 : 0;
    const { melody } = describeFrames(none, tone(60));
    expect(melody).toMatchObject({ barCount: 2, width: 8 * 36 });
    expect(entries(melody, 1)).toEqual([[3 * 36 + 6, 1]]);
    expect(entries(describeFrames(none, tone(61), 1, 50).melody, 1)).toEqual([[3 * 36 + 6, 1]]);
    // Half of the band below C4 is in C4.
    expect(entries(describeFrames(none, tone(47)).melody, 1)).toEqual([[3 * 36, 1]]);
    expect(entries(describeFrames(none, tone(118)).melody, 1)).toEqual([[3 * 36 + 35, 1]]);
  });

  // An eighth of a bar of 0.45 s is little more than half a frame, so some start and end at the same one.
  it.each([0.8, 0.45])('of %d s has no melody of its own in music that never changes', (barSeconds) => {
    const edgesSeconds = Array.from({ length: 6 }, (_, bar) => bar * barSeconds);
    const chord: Fill = (_frame, band) => (band === 60 || band === 68 || band === 74 ? 40 : 0);
    const { melody } = describeBars(edgesSeconds, makeFrames(MEL, none), makeFrames(PITCH, chord), 1, 0);
    for (let bar = 0; bar < 5; bar++) expect(entries(melody, bar)).toEqual([]);
  });

  it('beyond the last frame repeats that frame', () => {
    const mel = makeFrames(MEL, (frame, band) => (frame === 199 && band < 3 ? 3 : 0));
    const pitch = makeFrames(PITCH, none);
    const { sound } = describeBars([0, 2, 6, 8], mel, pitch, 1, 0);
    // In units of the level: nothing in the first bar; 0, 0, 0, 1/24, 1, 1, 1, 1 in the second, whose fourth eighth ends with frame 199, one of the 12
    // in its second half; 1 in every eighth of the third, less the means, scaled to unit length.
    const expected = [0.4491, 0.4491, 0.4491, 0.4397, 0.2245, 0.2245, 0.2245, 0.2245];
    expect(entries(sound, 2)).toEqual(expected.map((value, at) => [at * 27, value]));
  });

  it('has features relative to the level of the recording', () => {
    const shape: Fill = (frame, band) => (frame < 100 ? 0.1 + band / 81 : 0.2);
    const plain = describeFrames(shape, none, 0.5).timbre;
    const louder = describeFrames((frame, band) => 8 * shape(frame, band), none, 4).timbre;
    louder.data.forEach((value, at) => {
      // Features have single precision.
      expect(value).toBeCloseTo(plain.data[at]!, 5);
    });
  });
});
