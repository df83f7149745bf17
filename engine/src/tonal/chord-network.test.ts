import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTwinLayers } from '../learned/layers-twin.ts';
import { readModelFile } from '../learned/model-file.ts';
import type { NetworkKernels } from '../learned/network-kernels.ts';
import type { FloatFrames, FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeRandom } from '../test-random.ts';
import { runChordNetwork } from './chord-network.ts';
import { computeChordsPlainly, makeChordModel } from './test-chord-model.ts';

const SIZE = { frontChannels: 8, channels: 16, dilations: [1, 3] };
const RMS = 0.1;
const MODEL = readModelFile(makeChordModel(SIZE));

function makePitch(frameCount: number): FloatFrames {
  const random = makeRandom(5);
  const data = Float32Array.from({ length: frameCount * 144 }, () => 20 * random() ** 4);
  return { frameRateHz: 10, binCount: 144, frameCount, data };
}
const run = (kernels: NetworkKernels, pitch: FrameMatrix, rowsMax?: number) =>
  runChordNetwork(kernels, MODEL, { pitch, rms: RMS, tuningCents: 0 }, undefined, rowsMax);
const createArena = (): NetworkKernels => createTwinLayers(400_000);

const readFixture = (name: string): Buffer => readFileSync(new URL(`./fixtures/${name}`, import.meta.url));

/** Made by fixtures/make_chord_vectors.py. */
describe('the network of the training code', () => {
  const model = readModelFile(new Uint8Array(readFixture('random-chord-cnn.bin')));
  const vectors = JSON.parse(readFixture('chord-vectors.json').toString()) as {
    rms: number;
    magnitudes: number[][];
    chordLogits: number[][];
    keyLogits: number[];
  };
  const frameCount = vectors.magnitudes.length;
  const data = Float32Array.from(vectors.magnitudes.flat());
  const compute = () =>
    runChordNetwork(createKernels(), model, {
      pitch: { frameRateHz: 10, binCount: 144, frameCount, data },
      rms: vectors.rms,
      tuningCents: 0,
    });
  const normalise = (logits: number[]): number[] => {
    const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
    return logits.map((logit) => logit - total);
  };

  it('gives the same chord probabilities', () => {
    const { activation } = compute();
    vectors.chordLogits.flatMap(normalise).forEach((value, index) => {
      // The engine's activations are multiples of 1/512, the training's are floats.
      expect(Math.abs(activation.logProbabilities[index]! - value)).toBeLessThan(4e-3);
    });
  });

  it('gives the same key probabilities', () => {
    const { keys } = compute();
    const scores = keys.head.score(keys.features.map((sum) => sum / frameCount));
    normalise(vectors.keyLogits).forEach((value, key) => {
      // The mean over the frames averages out the rounding to those multiples.
      expect(Math.abs(scores[key]! - value)).toBeLessThan(1e-3);
    });
  });
});

describe('the chord network', () => {
  it('computes what its layers define', () => {
    const pitch = makePitch(12);
    const expected = computeChordsPlainly(MODEL, SIZE, pitch, RMS);
    const { activation } = run(createKernels(), pitch);
    expect(activation).toMatchObject({ frameRateHz: 10, frameCount: 12, source: 'learned' });
    expected.forEach((value, index) => {
      // Activations are rounded to multiples of 1/512, and each value sums a few thousand products.
      expect(Math.abs(activation.logProbabilities[index]! - value)).toBeLessThan(6e-3);
    });
  });

  it('gives bit-identical results in WebAssembly and in TypeScript', () => {
    const pitch = makePitch(9);
    const wasm = run(createKernels(), pitch);
    const twin = run(createArena(), pitch, 4);
    expect(wasm.activation.logProbabilities).toEqual(twin.activation.logProbabilities);
    expect(wasm.keys.features).toEqual(twin.keys.features);
  });

  it('does not depend on how many frames are passed from layer to layer at once', () => {
    const pitch = makePitch(70);
    const whole = run(createKernels(), pitch, 256).activation.logProbabilities;
    for (const rowsMax of [1, 7, 64]) {
      expect(run(createKernels(), pitch, rowsMax).activation.logProbabilities).toEqual(whole);
    }
  });

  it('reports the fraction of frames done', () => {
    const input = { pitch: makePitch(9), rms: RMS, tuningCents: 0 };
    const fractions: number[] = [];
    runChordNetwork(createKernels(), MODEL, input, (fraction) => fractions.push(fraction), 4);
    expect(fractions).toEqual([4 / 9, 8 / 9, 1]);
  });

  it('shifts the bands back when the tuning is far off', () => {
    const pitch = makePitch(5);
    const compute = (data: Float32Array, tuningCents: number) =>
      runChordNetwork(createKernels(), MODEL, { pitch: { ...pitch, data }, rms: RMS, tuningCents }).activation
        .logProbabilities;
    // 50 cents are one band.
    const sharp = pitch.data.map((_, index) => (index % 144 === 0 ? 0 : pitch.data[index - 1]!));
    const cut = pitch.data.map((value, index) => (index % 144 === 143 ? 0 : value));
    expect(compute(sharp, 50)).toEqual(compute(cut, 0));
    expect(compute(pitch.data, 25)).toEqual(compute(pitch.data, 0));
    expect(compute(pitch.data, 26)).not.toEqual(compute(pitch.data, 0));
    // 40 cents are four fifths of a band.
    const between = (step: number) =>
      pitch.data.map((value, index) => {
        const band = (index % 144) + step;
        return (1 - 0.8) * value + 0.8 * (band < 0 || band > 143 ? 0 : pitch.data[index + step]!);
      });
    for (const [cents, step] of [
      [40, 1],
      [-40, -1],
    ] as const) {
      const shifted = compute(pitch.data, cents);
      compute(between(step), 0).forEach((value, index) => {
        // Rounding may move an activation to the next multiple of 1/512.
        expect(Math.abs(shifted[index]! - value)).toBeLessThan(4e-3);
      });
    }
  });

  it('sees six frames to either side', () => {
    const pitch = makePitch(40);
    const heard = (from: number, to: number): Float32Array => {
      const data = pitch.data.slice().fill(0, from * 144, to * 144);
      return run(createKernels(), { ...pitch, data }).activation.logProbabilities;
    };
    const whole = run(createKernels(), pitch).activation.logProbabilities;
    // One frame for each of the first two convolutions, one and three for the blocks.
    const endless = heard(30, 40);
    expect(endless.slice(0, 24 * 25)).toEqual(whole.slice(0, 24 * 25));
    expect(endless.slice(24 * 25, 25 * 25)).not.toEqual(whole.slice(24 * 25, 25 * 25));
    const late = heard(0, 10);
    expect(late.slice(16 * 25)).toEqual(whole.slice(16 * 25));
    expect(late.slice(15 * 25, 16 * 25)).not.toEqual(whole.slice(15 * 25, 16 * 25));
  });

  it('sums the features for keys over blocks of 2.5 seconds', () => {
    const pitch = makePitch(60);
    const { keys } = run(createKernels(), pitch);
    expect(keys.head.featureCount).toBe(12 * SIZE.channels);
    expect(keys.features).toHaveLength(3 * keys.head.featureCount);
    // With equal frames, blocks that do not see the ends are equal.
    const pattern = makePitch(1).data;
    const data = Float32Array.from({ length: 100 * 144 }, (_, index) => pattern[index % 144]!);
    const features = run(createKernels(), { ...makePitch(100), data }).keys.features;
    const [second, third] = [1, 2].map((block) =>
      features.subarray(block * keys.head.featureCount, (block + 1) * keys.head.featureCount),
    );
    expect(Math.max(...second!)).toBeGreaterThan(1);
    expect(third).toEqual(second);
    const logits = keys.head.score(keys.features.subarray(0, keys.head.featureCount).map((sum) => sum / 25));
    expect(logits.reduce((sum, logit) => sum + Math.exp(logit), 0)).toBeCloseTo(1, 5);
  });

  it('rotates the keys with the pitch classes', () => {
    const { head } = run(createKernels(), makePitch(1)).keys;
    const random = makeRandom(3);
    const mean = Float32Array.from({ length: head.featureCount }, random);
    // Each pitch class has `channels` features, so a semitone up is that far.
    const turned = new Float32Array(mean.length);
    turned.set(mean.subarray(0, -SIZE.channels), SIZE.channels);
    turned.set(mean.subarray(-SIZE.channels), 0);
    const [plain, shifted] = [head.score(mean), head.score(turned)];
    for (let p = 0; p < 12; p++) {
      expect(shifted[(p + 1) % 12]).toBeCloseTo(plain[p]!, 5);
      expect(shifted[12 + ((p + 1) % 12)]).toBeCloseTo(plain[12 + p]!, 5);
    }
  });

  it('gives no probabilities without frames, and finite ones for silence', () => {
    expect(run(createKernels(), makePitch(0)).activation.logProbabilities).toHaveLength(0);
    const silence = { ...makePitch(3), data: new Float32Array(3 * 144) };
    const logProbabilities = run(createKernels(), silence).activation.logProbabilities;
    expect(logProbabilities.filter(Number.isFinite)).toHaveLength(3 * 25);
  });

  it('refuses the model of another network, odd sizes and frames of other bands', () => {
    const input = { pitch: makePitch(1), rms: RMS, tuningCents: 0 };
    const other = { ...MODEL, architecture: { ...MODEL.architecture, kind: 'beat-tcn' } };
    expect(() => runChordNetwork(createKernels(), other, input)).toThrow('not a chord network');
    for (const size of [{ channels: 12 }, { frontChannels: 12 }]) {
      const odd = { ...MODEL, architecture: { ...MODEL.architecture, ...size } };
      expect(() => runChordNetwork(createKernels(), odd, input)).toThrow('multiples of 8');
    }
    expect(() => run(createKernels(), { ...makePitch(1), binCount: 81 })).toThrow('expected 144 bands');
  });
});
