import { describe, expect, it } from 'vitest';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeRandom } from '../test-random.ts';
import { runBeatNetwork, runFrameNetwork } from './beat-network.ts';
import { createTwinLayers } from './layers-twin.ts';
import { ModelError } from './model-error.ts';
import { readModelFile } from './model-file.ts';
import { type BeatNetworkSize, makeBeatModel } from './test-model.ts';

/** Five channels and twelve front channels: neither fills whole blocks of eight. */
const SMALL: BeatNetworkSize = { frontChannels: 12, channels: 5, dilations: [1, 2, 4] };
const model = readModelFile(makeBeatModel(SMALL));

function makeMel(frameCount: number): FrameMatrix {
  const random = makeRandom(3);
  return {
    frameRateHz: 50,
    binCount: 81,
    frameCount,
    data: Float32Array.from({ length: frameCount * 81 }, random),
  };
}

describe('runBeatNetwork', () => {
  const mel = makeMel(75);
  const whole = runBeatNetwork(createKernels(), model, mel, 0.5);

  it('gives probabilities that differ from frame to frame', () => {
    // So that no comparison below is one of constants: these weights spread them over a fifth of the range.
    expect(Math.min(...whole.beat)).toBeGreaterThan(0);
    expect(Math.max(...whole.beat)).toBeLessThan(1);
    expect(Math.max(...whole.beat) - Math.min(...whole.beat)).toBeGreaterThan(0.2);
  });

  it.each([1, 7, 64])('gives the same bits in chunks of %i frames', (rowsMax) => {
    const chunked = runBeatNetwork(createKernels(), model, mel, 0.5, rowsMax);
    expect(chunked.beat).toEqual(whole.beat);
    expect(chunked.downbeat).toEqual(whole.downbeat);
  });

  it('gives the same bits on the TypeScript layers', () => {
    const reference = runBeatNetwork(createTwinLayers(400_000), model, mel, 0.5, 16);
    expect(reference.beat).toEqual(whole.beat);
    expect(reference.downbeat).toEqual(whole.downbeat);
  });

  it('depends only on the ratio of magnitudes to RMS', () => {
    const louder = { ...mel, data: mel.data.map((value) => value * 8) };
    const result = runBeatNetwork(createKernels(), model, louder, 4);
    // The floor added to the RMS shifts the ratio by 2e-6.
    result.beat.forEach((value, frame) => {
      expect(value).toBeCloseTo(whole.beat[frame]!, 4);
    });
  });

  it.each([0, 1, 2])('accepts %i frames', (frameCount) => {
    const result = runBeatNetwork(createKernels(), model, makeMel(frameCount), 1);
    expect(result.beat).toHaveLength(frameCount);
    expect(result.beat.every(Number.isFinite)).toBe(true);
  });

  it('gives the same probabilities for silence, whose RMS is 0, as for silence in a louder recording', () => {
    const silent = { ...mel, data: new Float32Array(mel.data.length) };
    const [alone, within] = [0, 1].map((rms) => runBeatNetwork(createKernels(), model, silent, rms));
    expect(alone).toEqual(within);
  });

  it('matches a direct implementation in double precision', () => {
    const expected = computeDirectly(mel, 0.5);
    expected.forEach(([beat, downbeat], frame) => {
      // Each 16-bit activation is off by up to 0.001; averaging in the layers leaves at most half of that.
      expect(whole.beat[frame]).toBeCloseTo(beat!, 3);
      expect(whole.downbeat[frame]).toBeCloseTo(downbeat!, 3);
    });
  });

  it('rejects other outputs and another number of bands', () => {
    expect(() => runFrameNetwork(createKernels(), model, mel, 1, ['voice'])).toThrow(
      'model test has the outputs [beat,downbeat], expected [voice]',
    );
    expect(() => runBeatNetwork(createKernels(), model, { ...mel, binCount: 80 }, 1)).toThrow(
      'expected 81 bands, got 80',
    );
  });

  it.each([
    { kind: 'chord-cnn' },
    { input: undefined },
    { input: { bands: 80, gain: 10 } },
    { input: { bands: 0, gain: 10 } },
    { input: { bands: 81 } },
    { frontChannels: 0 },
    { channels: 5.5 },
    { kernel: 4 },
    { kernel: '5' },
    { dilations: 2 },
    { dilations: [1, 0] },
    { outputs: 'beat,downbeat' },
  ])('rejects a model with the architecture %o', (change) => {
    const other = { ...model, architecture: { ...model.architecture, ...change } };
    expect(() => runBeatNetwork(createKernels(), other, mel, 1)).toThrow(
      new ModelError('model test is not a beat network this engine supports'),
    );
  });
});

/** The network as defined in engine/models/README.md, with plain nested arrays. */
function computeDirectly(mel: FrameMatrix, rms: number): number[][] {
  const { frontChannels: F, channels: C, dilations } = SMALL;
  const tensor = (name: string): Float32Array => model.tensors.get(name)!.values;
  const elu = (x: number): number => (x > 0 ? x : Math.expm1(x));
  const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
  const frames = range(mel.frameCount);

  const convolveBands = (input: number[][][], name: string): number[][][] => {
    const inCount = input[0]![0]!.length;
    const bands = input[0]!.length;
    const weights = tensor(`${name}.weight`);
    return frames.map((t) =>
      range(bands / 3).map((pooled) =>
        range(F).map((o) => {
          const candidates = range(3).map((k) => {
            let sum = tensor(`${name}.bias`)[o]!;
            for (const dt of [-1, 0, 1]) {
              for (const db of [-1, 0, 1]) {
                for (let c = 0; c < inCount; c++) {
                  const value = input[t + dt]?.[3 * pooled + k + db]?.[c] ?? 0;
                  sum += value * weights[((o * inCount + c) * 3 + dt + 1) * 3 + db + 1]!;
                }
              }
            }
            return sum;
          });
          return elu(Math.max(...candidates));
        }),
      ),
    );
  };
  const dense = (row: number[], name: string, outCount: number): number[] =>
    range(outCount).map((o) =>
      row.reduce(
        (sum, value, i) => sum + value * tensor(`${name}.weight`)[o * row.length + i]!,
        tensor(`${name}.bias`)[o]!,
      ),
    );
  const dilate = (x: number[][], name: string, dilation: number): number[][] =>
    frames.map((t) =>
      range(C).map((o) => {
        let sum = tensor(`${name}.bias`)[o]!;
        for (const tap of range(5)) {
          for (let c = 0; c < C; c++) {
            sum += (x[t + (tap - 2) * dilation]?.[c] ?? 0) * tensor(`${name}.weight`)[(o * C + c) * 5 + tap]!;
          }
        }
        return sum;
      }),
    );

  const input = frames.map((t) =>
    range(81).map((b) => [
      Math.log1p((10 * mel.data[t * 81 + b]!) / rms) * tensor('input.scale')[0]! + tensor('input.offset')[0]!,
    ]),
  );
  const front = convolveBands(convolveBands(input, 'conv1'), 'conv2');
  let x = front.map((bands) =>
    dense(
      range(F * 9).map((i) => bands[i % 9]![Math.floor(i / 9)]!),
      'conv3',
      C,
    ).map(elu),
  );
  dilations.forEach((dilation, index) => {
    const near = dilate(x, `block${index}.near`, dilation);
    const far = dilate(x, `block${index}.far`, 2 * dilation);
    x = x.map((row, t) => {
      const mixed = dense([...near[t]!, ...far[t]!].map(elu), `block${index}.out`, C);
      return row.map((value, c) => value + mixed[c]!);
    });
  });
  return x.map((row) => {
    const hidden = dense(row.map(elu), 'hidden', C).map(elu);
    return dense(hidden, 'output', 2).map((logit) => 1 / (1 + Math.exp(-logit)));
  });
}
