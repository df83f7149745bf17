/** The kernels that measure frames and bars, and their twins, on the same random input; kernel-twins.slow.test.ts compares them. */

import { HIGH_BANDS_START, LOW_BANDS_END } from './rhythm/onset-envelope.ts';
import { sumRisesTwin } from './rhythm/onset-envelope-twin.ts';
import type { FloatFrames } from './signal/frame-matrix.ts';
import { sumRowSquares } from './signal/row-squares.ts';
import { sumRowSquaresTwin } from './signal/row-squares-twin.ts';
import { makeNoise } from './signal/test-signals.ts';
import { MEL_BAND_COUNT as MEL_BANDS, RHYTHM, SOUND } from './structure/bar-features.ts';
import { addMelFramesTwin, centreAndScaleTwin } from './structure/bar-features-twin.ts';
import { measureLikenessTwin } from './structure/self-similarity-twin.ts';
import type { Comparison } from './test-signal-comparisons.ts';
import { COEFFICIENT_COUNT, measureCepstrum, PADDED_COUNT } from './timbre/cepstrum.ts';
import { sumCepstraTwin } from './timbre/cepstrum-twin.ts';
import { END_BANDS } from './timbre/contrast.ts';
import { findOctaveEndsTwin } from './timbre/contrast-twin.ts';
import { locateMelBands, ROLLOFF_SHARE } from './timbre/spectral-shape.ts';
import { describeRowTwin } from './timbre/spectral-shape-twin.ts';
import { CHORD_CLASS_COUNT } from './tonal/chord-activation.ts';
import { foldOctavesTwin } from './tonal/chroma-twin.ts';
import { projectOntoTwin } from './tonal/key-head-twin.ts';
import { PITCH_CLASS_COUNT } from './tonal/key-name.ts';
import { createSemitoneFrames, PITCH_BAND_COUNT as PITCH_BANDS, SEMITONE_COUNT } from './tonal/semitones.ts';
import { takeSemitonesTwin } from './tonal/semitones-twin.ts';
import { BASS_TEMPLATE, BASS_WEIGHT, SHARPNESS } from './tonal/template-chords.ts';
import { matchTriadsTwin } from './tonal/template-chords-twin.ts';
import { FIRST_BAND, PEAK_SHARE_MIN } from './tonal/tuning.ts';
import { findBandPeaksTwin } from './tonal/tuning-twin.ts';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Log mel frames. */
const logs = makeNoise(6 * MEL_BANDS, 4, 11);
/** Vectors of nine bars. */
const vectors = { barCount: 9, width: 22, data: makeNoise(9 * 22, 1, 12) };
const doubles = Float64Array.from(makeNoise(200, 1, 13));
const magnitudes = makeNoise(3 * PITCH_BANDS, 30, 14).map(Math.abs);
const pitch: FloatFrames = { frameRateHz: 10, binCount: PITCH_BANDS, frameCount: 3, data: magnitudes };
/** Just below the largest magnitude, 30, so that some octaves are silent. */
const SILENCE_MAGNITUDE = 29.5;
const OCTAVE_BANDS = 24;
const OCTAVE_COUNT = magnitudes.length / OCTAVE_BANDS;

const rowOf = (values: Float32Array, width: number, row: number): Float32Array =>
  values.subarray(width * row, width * (row + 1));
const melRow = (values: Float32Array, row: number) => rowOf(values, MEL_BANDS, row);
/** Logarithms of four frames, of which the third is silent. */
const cepstrumLogs = makeNoise(4 * MEL_BANDS, 3, 15).map(
  (value, n) => value - (Math.floor(n / MEL_BANDS) === 2 ? 9 : 2),
);

const wholeNumbers = Float64Array.from({ length: SEMITONE_COUNT }, (_, s) => (s % 7) - 2);

/** Floors of about the size of the chroma itself. */
const MIDDLE_FLOOR = 0.5;
const BASS_FLOOR = 0.25;

export const MUSIC_COMPARISONS: Comparison[] = [
  {
    kernels: ['sumRowSquares'],
    run: (kernels) => sumRowSquares(kernels, pitch),
    twin: () => [0, 1, 2].map((frame) => sumRowSquaresTwin(rowOf(pitch.data, pitch.binCount, frame))),
    tolerance: 0,
  },
  {
    kernels: ['sumRises'],
    run: (kernels) => {
      const out = kernels.allocateDoubles(4 * 3);
      const rows = kernels.copyFloats(logs).pointer + 2 * MEL_BANDS * FLOAT_BYTES;
      const { sumRises } = kernels.exports;
      sumRises(rows, 4, MEL_BANDS, 2, LOW_BANDS_END, HIGH_BANDS_START, out.pointer);
      return out.view;
    },
    twin: () => [2, 3, 4, 5].flatMap((row) => sumRisesTwin(melRow(logs, row), melRow(logs, row - 2))),
    tolerance: 0,
  },
  {
    kernels: ['sumCepstra'],
    run: (kernels) => {
      const audible = kernels.exports.allocate(4);
      const mel = {
        frameRateHz: 50,
        binCount: MEL_BANDS,
        frameCount: 4,
        data: cepstrumLogs.map(Math.exp),
      };
      const statistics = measureCepstrum(kernels, mel, 1, 1, audible);
      return [
        ...new Uint8Array(kernels.exports.memory.buffer, audible, 4),
        ...statistics!.mean,
        ...statistics!.covariance.flat(),
      ];
    },
    twin: () => {
      const rows = [0, 1, 2, 3].map((row) =>
        melRow(cepstrumLogs, row).map((value) => Math.max(value, Math.log(1e-4))),
      );
      const sums = sumCepstraTwin(rows);
      const mean = Array.from(sums.subarray(0, COEFFICIENT_COUNT), (sum) => sum / 3);
      const covariance = mean.flatMap((a, k) =>
        mean.map((b, n) => sums[(k + 1) * PADDED_COUNT + n]! / 3 - a * b),
      );
      return [1, 1, 0, 1, ...mean, ...covariance];
    },
    // Magnitudes and their logarithms are in single precision.
    tolerance: 1e-6,
  },
  {
    kernels: ['sumSpectralShapes'],
    run: (kernels) => {
      const { centresHz, widthsHz } = locateMelBands();
      const [centres, widths] = [centresHz, widthsHz].map((values) => kernels.copyDoubles(values).pointer);
      const [sums, means] = [kernels.allocateDoubles(3), kernels.allocateDoubles(4)];
      const audible = kernels.exports.allocate(2);
      new Uint8Array(kernels.exports.memory.buffer, audible, 2).fill(1);
      kernels.exports.sumSpectralShapes(
        kernels.copyFloats(magnitudes).pointer + MEL_BANDS * FLOAT_BYTES,
        kernels.copyFloats(logs).pointer,
        2,
        2,
        MEL_BANDS,
        1,
        audible,
        centres!,
        widths!,
        ROLLOFF_SHARE,
        sums.pointer,
        means.pointer,
      );
      return [...sums.view, ...means.view];
    },
    twin: () => {
      const [first, second] = [1, 3].map((row) =>
        describeRowTwin(melRow(magnitudes, row), melRow(magnitudes, row - 1), melRow(logs, row - 1)),
      ) as [number[], number[]];
      const sums = [0, 1, 2].map((k) => first[k]! + second[k]!);
      return [...sums, ...first.slice(3), ...second.slice(3)];
    },
    tolerance: 0,
  },
  {
    kernels: ['findOctaveEnds'],
    run: (kernels) => {
      const out = kernels.allocateDoubles(2 * OCTAVE_COUNT);
      const sorted = kernels.allocateDoubles(OCTAVE_BANDS).pointer;
      kernels.exports.findOctaveEnds(
        kernels.copyFloats(magnitudes).pointer,
        OCTAVE_COUNT,
        OCTAVE_BANDS,
        END_BANDS,
        SILENCE_MAGNITUDE,
        sorted,
        out.pointer,
      );
      return out.view;
    },
    twin: () =>
      Array.from({ length: OCTAVE_COUNT }, (_, octave) =>
        findOctaveEndsTwin(rowOf(magnitudes, OCTAVE_BANDS, octave), SILENCE_MAGNITUDE),
      ).flat(),
    tolerance: 0,
  },
  {
    kernels: ['addMelFrames'],
    run: (kernels) => {
      const frames = kernels.copyFloats(logs).pointer + MEL_BANDS * FLOAT_BYTES;
      const rhythm = kernels.allocateFloats(RHYTHM.bandCount);
      const sound = kernels.allocateFloats(SOUND.bandCount);
      const spectrum = kernels.allocateDoubles(MEL_BANDS);
      kernels.exports.addMelFrames(
        frames,
        5,
        MEL_BANDS,
        MEL_BANDS,
        1 / 5,
        rhythm.pointer,
        MEL_BANDS / RHYTHM.bandCount,
        sound.pointer,
        MEL_BANDS / SOUND.bandCount,
        spectrum.pointer,
      );
      return [...rhythm.view, ...sound.view, ...spectrum.view];
    },
    twin: () => {
      const frames = Array.from({ length: 6 }, (_, frame) => melRow(logs, frame));
      const { rhythm, sound, spectrum } = addMelFramesTwin(frames);
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
      const out = kernels.copyDoubles([1, 2, 3]);
      const [basis, values] = [doubles.subarray(0, 150), doubles.subarray(150)].map(
        (numbers) => kernels.copyDoubles(numbers).pointer,
      );
      kernels.exports.projectOnto(basis!, 3, values!, 50, out.pointer);
      return out.view;
    },
    twin: () => {
      const out = Float64Array.of(1, 2, 3);
      projectOntoTwin(doubles.subarray(0, 150), doubles.subarray(150), out);
      return out;
    },
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
      centreAndScaleTwin({ ...vectors, data });
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
      const similarities = Array.from({ length: 7 }, (_, lag) => measureLikenessTwin(vectors, 2, 2 + lag));
      return [
        ...similarities.map((value) => 0.25 * value),
        ...similarities.map((value, lag) => doubles[lag]! + 0.5 * value),
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
    twin: () =>
      [0, 1, 2].flatMap((frame) => [...takeSemitonesTwin(rowOf(pitch.data, pitch.binCount, frame), 0.3, 17)]),
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
      // Whole numbers are added without rounding.
      const sums = kernels.copyFloats([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      const [whole, weights] = [
        kernels.copyDoubles(wholeNumbers).pointer,
        kernels.copyDoubles(wholeNumbers).pointer,
      ];
      kernels.exports.foldOctaves(whole, 1, SEMITONE_COUNT, weights, sums.pointer);
      return [...out.view, ...sums.view];
    },
    twin: () => [
      ...[0, 1].flatMap((frame) => [
        ...foldOctavesTwin(doubles.subarray(72 * frame, 72 * (frame + 1)), doubles.subarray(100, 172)),
      ]),
      ...foldOctavesTwin(wholeNumbers, wholeNumbers).map((sum, pitchClass) => pitchClass + 1 + sum),
    ],
    tolerance: 0,
  },
  {
    kernels: ['matchTriads'],
    run: (kernels) => {
      const middle = kernels.copyFloats(magnitudes.subarray(0, 2 * PITCH_CLASS_COUNT)).pointer;
      const bass = kernels.copyFloats(
        magnitudes.subarray(2 * PITCH_CLASS_COUNT, 4 * PITCH_CLASS_COUNT),
      ).pointer;
      const out = kernels.allocateFloats(2 * CHORD_CLASS_COUNT);
      const { root, fifth, third } = BASS_TEMPLATE;
      kernels.exports.matchTriads(
        middle,
        bass,
        2,
        MIDDLE_FLOOR,
        BASS_FLOOR,
        kernels.copyDoubles([BASS_WEIGHT, root, fifth, third]).pointer,
        SHARPNESS,
        out.pointer,
        CHORD_CLASS_COUNT,
      );
      return out.view;
    },
    // The kernel does not write the last class, no chord.
    twin: () =>
      [0, 1].flatMap((row) => [
        ...matchTriadsTwin(
          rowOf(magnitudes, PITCH_CLASS_COUNT, row),
          rowOf(magnitudes, PITCH_CLASS_COUNT, row + 2),
          MIDDLE_FLOOR,
          BASS_FLOOR,
        ),
        0,
      ]),
    tolerance: 0,
  },
  {
    kernels: ['findBandPeaks'],
    run: (kernels) => {
      const out = kernels.allocateDoubles(magnitudes.length);
      const rows = kernels.copyFloats(magnitudes).pointer;
      const { findBandPeaks } = kernels.exports;
      const count = findBandPeaks(rows, 3, PITCH_BANDS, FIRST_BAND, PEAK_SHARE_MIN, out.pointer);
      return out.view.subarray(0, 2 * count);
    },
    twin: () => [0, 1, 2].flatMap((row) => findBandPeaksTwin(rowOf(magnitudes, PITCH_BANDS, row)).flat()),
    tolerance: 0,
  },
];
