import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { copyFrames } from './frame-matrix.ts';
import { createFrontEnd, type SpectralFrames } from './front-end.ts';
import { createKernels } from './kernels.ts';
import { addSignals, cutRandomly, makeNoise, makeSine } from './test-signals.ts';

const RATE_HZ = 22_050;
const BLOCK_SAMPLES_MAX = 4096;

function analyseFrames(pieces: Float32Array[], rateHz = RATE_HZ): SpectralFrames {
  const kernels = createKernels();
  const frontEnd = createFrontEnd(kernels, rateHz, BLOCK_SAMPLES_MAX);
  const block = kernels.allocateFloats(BLOCK_SAMPLES_MAX);
  for (const piece of pieces) {
    block.view.set(piece);
    frontEnd.push(block.pointer, piece.length);
  }
  return frontEnd.finish();
}

const inBlocks = (signal: Float32Array): Float32Array[] => cutRandomly(signal, BLOCK_SAMPLES_MAX);

type Vectors = { frameCount: number; rows: Record<string, number[]> };

describe('mel and pitch frames', () => {
  const vectors = JSON.parse(readFileSync(new URL('./fixtures/spectra.json', import.meta.url), 'utf8')) as {
    rms: number;
    mel: Vectors;
    pitch: Vectors;
  };
  const count = Math.floor(2.5 * RATE_HZ);
  const signal = addSignals(
    makeNoise(count, 0.1, 7),
    makeSine(count, 110, RATE_HZ, 0.3),
    makeSine(count, 440, RATE_HZ, 0.2),
    makeSine(count, 3520, RATE_HZ, 0.05),
  );
  const frames = analyseFrames(inBlocks(signal));

  it.each(['mel', 'pitch'] as const)('%s equals the numpy vectors', (name) => {
    const matrix = frames[name];
    expect(matrix.frameCount).toBe(vectors[name].frameCount);
    for (const [frame, expected] of Object.entries(vectors[name].rows)) {
      const largest = Math.max(...expected);
      expected.forEach((value, band) => {
        const error = Math.abs(matrix.data[Number(frame) * matrix.binCount + band]! - value);
        // Single precision against double: 24 bits, less a few for the sums.
        expect(error).toBeLessThan(2e-6 * largest);
      });
    }
  });

  it('the root mean square equals that of numpy', () => {
    // The generator's noise is rounded to single precision here but not in numpy.
    expect(frames.rms).toBeCloseTo(vectors.rms, 7);
  });

  it('do not depend on where the blocks end', () => {
    const other = analyseFrames(cutRandomly(signal, 300, 5));
    expect(other.mel.data).toEqual(frames.mel.data);
    expect(other.pitch.data).toEqual(frames.pitch.data);
  });
});

it('shows its observers all samples, and the magnitudes of every pitch frame', () => {
  const kernels = createKernels();
  const signal = makeSine(RATE_HZ, 100 * (RATE_HZ / 8192), RATE_HZ, 0.5);
  const block = kernels.copyFloats(signal);
  const samples: number[] = [];
  const peakBins: number[] = [];
  const frontEnd = createFrontEnd(kernels, RATE_HZ, RATE_HZ, {
    samples: (part) => samples.push(...part),
    pitch: (pointer) => {
      const magnitudes = new Float32Array(kernels.exports.memory.buffer, pointer, 4097);
      peakBins.push(magnitudes.indexOf(Math.max(...magnitudes)));
    },
  });
  frontEnd.push(block.pointer, signal.length);
  frontEnd.finish();
  expect(Float32Array.from(samples)).toEqual(signal);
  // One second holds ten hops. Only frames 2 to 8 do not reach the mirrored ends.
  expect(peakBins).toHaveLength(11);
  expect(peakBins.slice(2, 9)).toEqual(Array(7).fill(100));
});

describe('the front end', () => {
  it('gives no frames for no samples', () => {
    const frames = analyseFrames([]);
    expect(frames).toMatchObject({ rms: 0, durationSeconds: 0 });
    expect(frames.mel.frameCount).toBe(0);
    expect(frames.pitch.frameCount).toBe(0);
  });

  it('gives one finite frame for one sample', () => {
    const frames = analyseFrames([Float32Array.of(0.5)]);
    expect(frames.mel.frameCount).toBe(1);
    expect(frames.pitch.frameCount).toBe(1);
    expect([...frames.mel.data, ...frames.pitch.data].every(Number.isFinite)).toBe(true);
  });

  it('gives zeros for silence', () => {
    const frames = analyseFrames(inBlocks(new Float32Array(RATE_HZ)));
    expect(frames).toMatchObject({ mel: { frameCount: 51 }, pitch: { frameCount: 11 } });
    expect([...frames.mel.data, ...frames.pitch.data].every((value) => value === 0)).toBe(true);
    expect(frames.rms).toBe(0);
  });

  it('gives zeros for a constant, even at its ends', () => {
    const frames = analyseFrames(inBlocks(new Float32Array(RATE_HZ).fill(0.5)));
    // A Hann window confines a constant to bins 0 and 1, below the first band; the mirrored ends keep it a constant. What remains is
    // rounding.
    expect(frames.mel.frameCount).toBe(51);
    expect(Math.max(...frames.mel.data)).toBeLessThan(1e-6);
  });

  it('gives the duration of its input, which is not a whole number of samples at 22,050 Hz', () => {
    expect(analyseFrames([new Float32Array(7)], 8_000).durationSeconds).toBe(7 / 8_000);
  });

  it('gives magnitudes proportional to the signal', () => {
    const noise = makeNoise(RATE_HZ, 0.4);
    const once = analyseFrames(inBlocks(noise));
    const twice = analyseFrames(inBlocks(noise.map((value) => 2 * value)));
    expect(twice.mel.data).toEqual(once.mel.data.map((value) => 2 * value));
    expect(twice.pitch.data).toEqual(once.pitch.data.map((value) => 2 * value));
  });
});

it.each([8_000, 44_100, 48_000, 96_000])('keeps the time of a click from %d Hz', (rateHz) => {
  const click = new Float32Array(rateHz);
  click[rateHz / 2] = 1;
  const { mel } = analyseFrames(inBlocks(click), rateHz);
  const energies = Array.from({ length: mel.frameCount }, (_, frame) => {
    const row = new Float32Array(mel.binCount);
    copyFrames(mel, frame, frame + 1, row);
    return row.reduce((sum, value) => sum + value, 0);
  });
  expect(energies.indexOf(Math.max(...energies))).toBe(25);
  // Hann windows are symmetric, so a click at the centre of a frame is equally strong in the frames before and after.
  expect(energies[24]! / energies[26]!).toBeCloseTo(1, 2);
});
