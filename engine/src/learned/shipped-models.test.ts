import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadModels } from '../../models/load-models.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { runChordNetwork } from '../tonal/chord-network.ts';
import { PITCH_MAGNITUDE_UNIT } from '../tonal/semitones.ts';
import { runBeatNetwork, runFrameNetwork } from './beat-network.ts';
import { readModelFile } from './model-file.ts';
import { hashSha256 } from './sha256.ts';

/** Made by `python -m earshot_training.vectors` from the weights in engine/models, with the training's own inference. */
const vectors = JSON.parse(
  readFileSync(new URL('./fixtures/shipped-vectors.json', import.meta.url), 'utf8'),
) as {
  input: { frames: number; stride: number; modulus: number; divisor: number };
  beats: { sha256: string; beatLogits: number[]; downbeatLogits: number[] };
  chords: { sha256: string; chordLogits: number[][]; keyLogits: number[] };
  voice: { sha256: string; voiceLogits: number[] };
};
const readWeights = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../models/${name}`, import.meta.url)));

/** Magnitudes, for an RMS of 1, that the compression log1p(gain · magnitude / unit) turns into the input of the vectors. */
function makeMagnitudes(binCount: number, frameRateHz: number, gain: number, unit: number): FrameMatrix {
  const { frames, stride, modulus, divisor } = vectors.input;
  const data = Float32Array.from(
    { length: frames * binCount },
    (_, k) => (Math.expm1(((k * stride) % modulus) / divisor) / gain) * unit,
  );
  return { frameRateHz, binCount, frameCount: frames, data };
}

describe('the shipped weights', () => {
  it('have the same SHA-256 from node:crypto and from the engine', () => {
    const { tags, ...others } = loadModels();
    const all = [others, tags!].flatMap((group) => Object.values(group) as Uint8Array[]);
    expect(all).toHaveLength(5);
    for (const bytes of all) {
      const { sha256 } = readModelFile(bytes).provenance;
      expect(sha256).toBe(hashSha256(createKernels(), bytes));
    }
  });

  const beatWeights = readWeights('beats-v3.bin');
  const chordWeights = readWeights('chords-v2.bin');
  const voiceWeights = readWeights('voice-v3.bin');

  it('are those from which the test vectors were made', () => {
    expect(hashSha256(createKernels(), beatWeights)).toBe(vectors.beats.sha256);
    expect(hashSha256(createKernels(), chordWeights)).toBe(vectors.chords.sha256);
    expect(hashSha256(createKernels(), voiceWeights)).toBe(vectors.voice.sha256);
  });

  it('give the beats that the training code computes', () => {
    const { beat, downbeat } = runBeatNetwork(
      createKernels(),
      readModelFile(beatWeights),
      makeMagnitudes(81, 50, 10, 1),
      1,
    );
    const pairs = [
      [beat, vectors.beats.beatLogits],
      [downbeat, vectors.beats.downbeatLogits],
    ] as const;
    for (const [probabilities, logits] of pairs) {
      expect(probabilities).toHaveLength(logits.length);
      logits.forEach((logit, frame) => {
        // Activations have steps of 1/512 here; the training code computes in floats. The largest difference is 6e-5.
        expect(Math.abs(probabilities[frame]! - 1 / (1 + Math.exp(-logit)))).toBeLessThan(1e-3);
      });
    }
  });

  it('give the voice that the training code computes', () => {
    const [voice] = runFrameNetwork(
      createKernels(),
      readModelFile(voiceWeights),
      makeMagnitudes(81, 50, 10, 1),
      1,
      ['voice'],
    );
    expect(voice).toHaveLength(vectors.voice.voiceLogits.length);
    vectors.voice.voiceLogits.forEach((logit, frame) => {
      // As above, with a largest difference of 2.4e-4.
      expect(Math.abs(voice![frame]! - 1 / (1 + Math.exp(-logit)))).toBeLessThan(1e-3);
    });
  });

  const chordVectors = vectors.chords;
  const runChords = () =>
    runChordNetwork(createKernels(), readModelFile(chordWeights), {
      pitch: makeMagnitudes(144, 10, 3, PITCH_MAGNITUDE_UNIT),
      rms: 1,
      tuningCents: 0,
    });
  const normalise = (logits: number[]): number[] => {
    const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
    return logits.map((logit) => logit - total);
  };

  it('give the chords that the training code computes', () => {
    const { logProbabilities } = runChords().activation;
    for (let frame = 0; frame < vectors.input.frames; frame++) {
      const row = normalise(chordVectors.chordLogits.map((ofClass) => ofClass[frame]!));
      row.forEach((value, chord) => {
        // As above; logarithms of small probabilities differ more, by up to 8e-3.
        const actual = logProbabilities[frame * row.length + chord]!;
        expect(Math.abs(Math.exp(actual) - Math.exp(value))).toBeLessThan(1e-3);
        expect(Math.abs(actual - value)).toBeLessThan(1e-2);
      });
    }
  });

  it('give the keys that the training code computes', () => {
    const { head, features } = runChords().keys;
    // All frames are in one key block.
    expect(features).toHaveLength(head.featureCount);
    const scores = head.score(features.map((sum) => sum / vectors.input.frames));
    expect(scores).toHaveLength(24);
    normalise(chordVectors.keyLogits).forEach((value, key) => {
      // As above, with a largest difference of 3.4e-3.
      expect(Math.abs(scores[key]! - value)).toBeLessThan(1e-2);
    });
  });
});
