import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readModelFile } from '../learned/model-file.ts';
import { createKernels } from '../signal/kernels.ts';
import { createMelPower, TAGGER_RATE_HZ } from './mel-power.ts';
import { PATCH_SECONDS } from './patch-keeper.ts';
import { createTagger } from './tagger-network.ts';
import { readTagger } from './test-taggers.ts';

/**
 * Made by `python -m earshot_training.tag_vectors` from the published weights, with the networks in numpy: the published one for `msd`, our own reading of
 * the authors' code for `jamendo`.
 */
const vectors = JSON.parse(readFileSync(new URL('./fixtures/tag-vectors.json', import.meta.url), 'utf8')) as {
  kind: number;
  msd: number[];
  jamendo: number[];
}[];

const PATCH_SAMPLES = Math.round(PATCH_SECONDS * TAGGER_RATE_HZ);

/** As in training/earshot_training/tag_vectors.py. */
function makeTestSound(kind: number): Float32Array {
  return Float32Array.from({ length: PATCH_SAMPLES }, (_, n) => {
    const note = Math.floor(n / 4000);
    const hz = 110 * (1 + kind) * 2 ** (((note * 5) % 12) / 12);
    const tone = [1, 2, 3].reduce(
      (sum, h) => sum + Math.sin((2 * Math.PI * hz * h * n) / TAGGER_RATE_HZ) / h,
      0,
    );
    const noise = ((n * 7919 + kind * 104_729) % 65_537) / 32_768.5 - 1;
    return 0.2 * tone + 0.3 * noise * Math.exp(-(n % 4000) / 600);
  });
}

describe('the shipped taggers', () => {
  for (const name of ['msd', 'jamendo'] as const) {
    it(`${name}: gives the probabilities of the network in numpy`, () => {
      const kernels = createKernels();
      const tagger = createTagger(kernels, readModelFile(readTagger(name)));
      const hear = createMelPower(kernels, tagger.sizes.mel);
      for (const vector of vectors) {
        const { logits } = tagger.tag(hear(makeTestSound(vector.kind), tagger.sizes.frameCount));
        expect(logits.length).toBe(vector[name].length);
        const errors = vector[name].map((expected, k) =>
          Math.abs(1 / (1 + Math.exp(-logits[k]!)) - expected),
        );
        // Activations in steps of 1/512 in the first layer; the published network computes in floats.
        expect(Math.max(...errors)).toBeLessThan(1e-3);
      }
    });
  }
});

it.each([
  ['another network', { kind: 'beat-tcn' }, 'tags-msd is not a tagger'],
  ['a filter that is longer than a patch', { frames: 127 }, 'tags-msd: a filter is larger than a patch'],
  [
    'a filter that is taller than a patch',
    { tall: [[8, 7, 97]] },
    'tags-msd: a filter is larger than a patch',
  ],
])('%s is refused', (_, part, message) => {
  const model = readModelFile(readTagger('msd'));
  const other = { ...model, architecture: { ...model.architecture, ...part } };
  expect(() => createTagger(createKernels(), other)).toThrow(message);
});
