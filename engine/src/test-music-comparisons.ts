/** The kernels that listen to frames and bars and their twins, side by side on random input; kernel-twins.test.ts compares them. */

import { type FrameMatrix, frameAt } from './signal/frame-matrix.ts';
import { makeNoise } from './signal/test-signals.ts';
import { addMelFramesReference, centreAndScaleReference } from './structure/bar-features.ts';
import { compareBarsReference } from './structure/self-similarity.ts';
import type { Comparison } from './test-kernel-comparisons.ts';
import { foldOctavesReference } from './tonal/chroma.ts';
import { createSemitoneFrames, SEMITONE_COUNT, takeSemitonesReference } from './tonal/semitones.ts';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Log mel frames. */
const logs = makeNoise(6 * 81, 4, 11);
/** Vectors of nine bars. */
const vectors = { barCount: 9, width: 22, data: makeNoise(9 * 22, 1, 12) };
const doubles = Float64Array.from(makeNoise(200, 1, 13));
const magnitudes = makeNoise(3 * 144, 30, 14).map(Math.abs);
const pitch: FrameMatrix = { frameRateHz: 10, binCount: 144, frameCount: 3, data: magnitudes };

export const MUSIC_COMPARISONS: Comparison[] = [
  {
    kernels: ['addMelFrames'],
    run: (kernels) => {
      const frames = kernels.copyFloats(logs).pointer + 81 * FLOAT_BYTES;
      const [rhythm, sound] = [kernels.allocateFloats(9), kernels.allocateFloats(27)];
      const spectrum = kernels.allocateDoubles(81);
      const { exports } = kernels;
      exports.addMelFrames(frames, 5, 81, 81, 0.2, rhythm.pointer, 9, sound.pointer, 3, spectrum.pointer);
      return [...rhythm.view, ...sound.view, ...spectrum.view];
    },
    twin: () => {
      const frames = Array.from({ length: 6 }, (_, frame) => logs.subarray(81 * frame, 81 * (frame + 1)));
      const { rhythm, sound, spectrum } = addMelFramesReference(frames);
      return [...rhythm, ...sound, ...spectrum];
    },
    tolerance: 0,
  },
  {
    kernels: ['addMeans'],
    run: (kernels) => {
      const out = kernels.copyFloats(vectors.data.subarray(0, 11));
      kernels.exports.addMeans(kernels.copyDoubles(doubles).pointer, 4, 50, 7, 11, 3, out.pointer);
      return out.view;
    },
    twin: () => {
      const out = vectors.data.slice(0, 11);
      for (let row = 0; row < 4; row++) {
        for (let k = 0; k < 11; k++) out[k]! += doubles[row * 50 + 7 + k]! / 3;
      }
      return out;
    },
    tolerance: 0,
  },
  {
    kernels: ['projectOnto'],
    run: (kernels) => {
      const out = kernels.allocateDoubles(3);
      const [basis, values] = [doubles.subarray(0, 150), doubles.subarray(150)].map(
        (numbers) => kernels.copyDoubles(numbers).pointer,
      );
      kernels.exports.projectOnto(basis!, 3, values!, 50, out.pointer);
      return out.view;
    },
    twin: () =>
      [0, 1, 2].map((k) =>
        doubles.subarray(150).reduce((sum, value, n) => sum + value * doubles[50 * k + n]!, 0),
      ),
    tolerance: 0,
  },
  {
    kernels: ['centreAndScale'],
    run: (kernels) => {
      const region = kernels.copyFloats(vectors.data);
      kernels.exports.centreAndScale(region.pointer, vectors.barCount, vectors.width);
      return region.view;
    },
    twin: () => {
      const data = vectors.data.slice();
      centreAndScaleReference({ ...vectors, data });
      return data;
    },
    tolerance: 0,
  },
  {
    kernels: ['addLikenesses'],
    run: (kernels) => {
      const vector = kernels.copyFloats(vectors.data).pointer + 2 * vectors.width * FLOAT_BYTES;
      const [first, second] = [kernels.allocateDoubles(7), kernels.copyDoubles(doubles.subarray(0, 7))];
      kernels.exports.addLikenesses(vector, vectors.width, 7, 0.25, first.pointer, 0.5, second.pointer);
      return [...first.view, ...second.view];
    },
    twin: () => {
      const likenesses = Array.from({ length: 7 }, (_, lag) => compareBarsReference(vectors, 2, 2 + lag));
      return [
        ...likenesses.map((value) => 0.25 * value),
        ...likenesses.map((value, lag) => doubles[lag]! + 0.5 * value),
      ];
    },
    tolerance: 0,
  },
  {
    kernels: ['takeSemitones'],
    run: (kernels) => {
      const semitones = new Float64Array(3 * SEMITONE_COUNT);
      createSemitoneFrames(kernels, pitch, 0.3, 17).visit(0, 3, (rows, count) => {
        semitones.set(new Float64Array(kernels.exports.memory.buffer, rows, count * SEMITONE_COUNT));
      });
      return semitones;
    },
    twin: () => [0, 1, 2].flatMap((frame) => [...takeSemitonesReference(frameAt(pitch, frame), 0.3, 17)]),
    // The two logarithms round differently in the last digit.
    tolerance: 1e-15,
  },
  {
    kernels: ['foldOctaves'],
    run: (kernels) => {
      const [semitones, bell] = [doubles.subarray(0, 144), doubles.subarray(100, 172)].map(
        (numbers) => kernels.copyDoubles(numbers).pointer,
      );
      const out = kernels.allocateFloats(24);
      kernels.exports.foldOctaves(semitones!, 2, SEMITONE_COUNT, bell!, out.pointer);
      return out.view;
    },
    twin: () =>
      [0, 1].flatMap((frame) => [
        ...foldOctavesReference(doubles.subarray(72 * frame, 72 * (frame + 1)), doubles.subarray(100, 172)),
      ]),
    tolerance: 0,
  },
];
