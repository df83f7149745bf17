/**
 * What the taggers say of the chosen patches: the first of each, the second, which costs three times as much, of half of them in a long song.
 */

import { madeOfModel } from '../learned/made-of-model.ts';
import { readModelFile } from '../learned/model-file.ts';
import type { ModelProvenance } from '../result.ts';
import { createKernels, type Kernels } from '../signal/kernels.ts';
import { createResampler } from '../signal/resample.ts';
import { createMelPower, HOP_SAMPLES, TAGGER_RATE_HZ, WINDOW_SAMPLES } from './mel-power.ts';
import { spread } from './patch-choice.ts';
import type { KeptPatch } from './patch-keeper.ts';
import { createTagger, type TaggedPatch } from './tagger-network.ts';
import type { TaggerName } from './taxonomy.ts';

export type HeardPatch = { startSeconds: number } & TaggedPatch;
export type HeardTags = {
  tags: Record<TaggerName, readonly string[]>;
  patches: Record<TaggerName, HeardPatch[]>;
  models: ModelProvenance[];
};

export type TaggerModels = Record<TaggerName, Uint8Array>;

const SECOND_TAGGER_PATCHES_MAX = 3;

/** `patches` are at `rateHz`. */
export function hearTags(models: TaggerModels, patches: readonly KeptPatch[], rateHz: number): HeardTags {
  const sampled = patches.map(({ startSeconds, samples }) => ({
    startSeconds,
    samples: resample(samples, rateHz),
  }));
  const few = spread(sampled, SECOND_TAGGER_PATCHES_MAX);
  const msd = hearAll(models.msd, sampled);
  const jamendo = hearAll(models.jamendo, few);
  return {
    tags: { msd: msd.tags, jamendo: jamendo.tags },
    patches: { msd: msd.heard, jamendo: jamendo.heard },
    models: [msd.provenance, jamendo.provenance],
  };
}

/** A patch leaves nothing behind in them that the next could hear. */
const earsOf = madeOfModel((model) => {
  const kernels = createKernels();
  const tagger = createTagger(kernels, model);
  return { tagger, measure: createMelPower(kernels, tagger.sizes.mel) };
});

function hearAll(bytes: Uint8Array, patches: readonly KeptPatch[]) {
  const model = readModelFile(bytes);
  const { tagger, measure } = earsOf(model);
  const heard = patches.map(({ startSeconds, samples }) => ({
    startSeconds,
    ...tagger.tag(measure(samples, tagger.sizes.frameCount)),
  }));
  return { tags: tagger.sizes.tags, heard, provenance: model.provenance };
}

/** To the taggers' rate; a sample or two short of the last frame count as silence. */
function resample(samples: Float32Array, rateHz: number): Float32Array {
  const kernels: Kernels = createKernels();
  const resampler = createResampler(kernels, rateHz, TAGGER_RATE_HZ, samples.length);
  const input = kernels.copyFloats(samples);
  const out = new Float32Array(Math.ceil(PATCH_SAMPLES / HOP_SAMPLES + 1) * HOP_SAMPLES + WINDOW_SAMPLES);
  const first = resampler.push(input.pointer, samples.length);
  const keep = (count: number, at: number): void =>
    out.set(resampler.output.view.subarray(0, Math.max(0, Math.min(count, out.length - at))), at);
  keep(first, 0);
  keep(resampler.finish(), first);
  return out;
}

const PATCH_SAMPLES = 48_384;
