import { describe, expect, it } from 'vitest';
import { makeRandom } from '../test-random.ts';
import { type BarFeatures, type BarVectors, describeBars } from './bar-features.ts';
import { rateBarLines } from './bar-line-salience.ts';
import { segmentBars } from './segmentation.ts';
import { compareBars, LAG_BARS_MAX, similarityOf } from './self-similarity.ts';
import { BAR_SECONDS, makeSong } from './test-songs.ts';

function makeVectors(barCount: number, seed: number): BarVectors {
  const random = makeRandom(seed);
  const width = 8;
  const data = new Float32Array(barCount * width);
  for (let bar = 0; bar < barCount; bar++) {
    const row = Array.from({ length: width }, () => random() - 0.5);
    const norm = Math.hypot(...row);
    data.set(
      row.map((value) => value / norm),
      bar * width,
    );
  }
  return { barCount, width, data };
}
const makeFeatures = (barCount: number): BarFeatures => ({
  rhythm: makeVectors(barCount, 1),
  sound: makeVectors(barCount, 2),
  timbre: makeVectors(barCount, 3),
  melody: makeVectors(barCount, 4),
});

describe('self-similarity', () => {
  it('is 1 for a bar with itself, and symmetric', () => {
    const { texture, content } = compareBars(makeFeatures(20));
    for (let bar = 0; bar < 20; bar++) {
      // Features have single precision.
      expect(similarityOf(texture, bar, bar)).toBeCloseTo(1, 5);
      expect(similarityOf(content, 3, bar)).toBe(similarityOf(content, bar, 3));
    }
  });

  it.each([
    ['rhythm', 0.5, 0.25],
    ['sound', 0.25, 0.25],
    ['timbre', 0.25, 0],
    ['melody', 0, 0.5],
  ] as const)(
    'of bars that share only their %s is %d in texture and %d in content',
    (shared, inTexture, inContent) => {
      const makeTwoBars = (isShared: boolean): BarVectors => ({
        barCount: 2,
        width: 4,
        data: Float32Array.of(1, 0, 0, 0, isShared ? 1 : 0, isShared ? 0 : 1, 0, 0),
      });
      const { texture, content } = compareBars({
        rhythm: makeTwoBars(shared === 'rhythm'),
        sound: makeTwoBars(shared === 'sound'),
        timbre: makeTwoBars(shared === 'timbre'),
        melody: makeTwoBars(shared === 'melody'),
      });
      expect([similarityOf(texture, 0, 1), similarityOf(content, 0, 1)]).toEqual([inTexture, inContent]);
    },
  );

  it('is computed in a band of fixed width', () => {
    const { texture } = compareBars(makeFeatures(1000));
    expect(texture.values).toHaveLength(1000 * LAG_BARS_MAX);
    expect(similarityOf(texture, 0, LAG_BARS_MAX - 1)).not.toBeNull();
    expect(similarityOf(texture, 0, LAG_BARS_MAX)).toBeNull();
  });
});

describe('bars', () => {
  const song = makeSong([
    ['A', 4],
    ['B', 4],
    ['A', 4],
  ]);
  const edges = [...song.downbeatsSeconds, song.durationSeconds];
  const similarity = compareBars(describeBars(edges, song.mel, song.pitch, 1, 0));

  it('are similar where the same is played, and dissimilar elsewhere', () => {
    expect(similarityOf(similarity.content, 1, 9)).toBeGreaterThan(0.8);
    expect(similarityOf(similarity.content, 1, 5)).toBeLessThan(0);
    expect(similarityOf(similarity.texture, 1, 2)).toBeGreaterThan(0.8);
  });

  it('do not depend on the level', () => {
    const louder = { ...song.mel, data: song.mel.data.map((x) => 8 * x) };
    const pitch = { ...song.pitch, data: song.pitch.data.map((x) => 8 * x) };
    const again = compareBars(describeBars(edges, louder, pitch, 8, 0));
    again.content.values.forEach((value, index) => {
      // As above.
      expect(value).toBeCloseTo(similarity.content.values[index]!, 5);
    });
  });

  it('have no similarity in silence, and are still segmented', () => {
    const silence = { ...song.mel, data: new Float32Array(song.mel.data.length) };
    const pitch = { ...song.pitch, data: new Float32Array(song.pitch.data.length) };
    const flat = compareBars(describeBars(edges, silence, pitch, 1, 0));
    for (const { values } of [flat.texture, flat.content]) {
      expect([...values]).toEqual(new Array(12 * 12).fill(0));
    }
    expect(segmentBars(flat, rateBarLines(flat))).toEqual([0, 12]);
  });

  it('make one segment where there is only one', () => {
    const single = compareBars(describeBars([0, BAR_SECONDS], song.mel, song.pitch, 1, 0));
    expect(segmentBars(single, rateBarLines(single))).toEqual([0, 1]);
  });
});
