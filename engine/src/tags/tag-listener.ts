/**
 * Runs the taggers on patches and keeps their output: the style of a recording is needed before its sections are known and its tags afterwards, and
 * both mostly choose the same patches.
 */

import { ModelError } from '../learned/model-error.ts';
import { readModelFile } from '../learned/model-file.ts';
import { oncePerModel } from '../learned/once-per-model.ts';
import type { ModelProvenance } from '../result.ts';
import { createKernels } from '../signal/kernels.ts';
import { createResampler } from '../signal/resample.ts';
import { SILENCE_RMS } from '../silence-level.ts';
import { createMelPower, TAGGER_RATE_HZ } from './mel-power.ts';
import type { KeptPatch } from './patch-keeper.ts';
import { withPatchKernels } from './patch-kernels.ts';
import { createTagger, type TaggedPatch } from './tagger-network.ts';
import { listTagsUsed, type TaggerName } from './taxonomy.ts';

export type HeardPatch = { startSeconds: number } & TaggedPatch;
export type TaggerModels = Record<TaggerName, Uint8Array>;

export type TagListener = {
  /** The output of the tagger for each patch, in their order. */
  hear(tagger: TaggerName, patches: readonly KeptPatch[]): HeardPatch[];
  tags(tagger: TaggerName): readonly string[];
  /** The models of the taggers that ran. */
  models(): ModelProvenance[];
};

type LoadedTagger = {
  tags: readonly string[];
  provenance: ModelProvenance;
  hear(patch: KeptPatch): HeardPatch;
};

/** Shared by all analyses of a process: a tagger keeps no state from one patch to the next. */
const loadTagger = oncePerModel((model) => {
  const kernels = createKernels();
  const tagger = createTagger(kernels, model);
  return { tagger, measure: createMelPower(kernels, tagger.sizes.mel) };
});

/**
 * Softer recordings are raised to this level, -40 dBFS: the taggers were trained on music at the level of commercial releases, and call the same music
 * noise 30 dB below that. No release is so soft, so none changes.
 */
const RMS_MIN = 10 ** (-40 / 20);

/** `rateHz` is the sampling rate of the patches, `rms` the level of the whole recording; full scale is 1. */
export function createTagListener(models: TaggerModels, rateHz: number, rms: number): TagListener {
  const taggersUsed = new Map<TaggerName, LoadedTagger>();
  const gain = Math.max(1, RMS_MIN / Math.max(rms, SILENCE_RMS));
  const samplesOf = memoizePerPatch(({ samples }: KeptPatch) => {
    const resampled = resample(samples, rateHz);
    return gain === 1 ? resampled : resampled.map((sample) => gain * sample);
  });
  const taggerOf = (name: TaggerName): LoadedTagger => {
    const known = taggersUsed.get(name);
    if (known) return known;
    const model = readModelFile(models[name]);
    const { tagger, measure } = loadTagger(model);
    const missing = listTagsUsed(name).find((tag) => !tagger.sizes.tags.includes(tag));
    if (missing !== undefined) {
      throw new ModelError(
        `model ${model.provenance.name} is not the ${name} tagger: it has no tag ${missing}`,
      );
    }
    const loaded: LoadedTagger = {
      tags: tagger.sizes.tags,
      provenance: model.provenance,
      hear: memoizePerPatch((patch) => ({
        startSeconds: patch.startSeconds,
        ...tagger.tag(measure(samplesOf(patch), tagger.sizes.frameCount)),
      })),
    };
    taggersUsed.set(name, loaded);
    return loaded;
  };
  return {
    hear: (name, patches) => patches.map(taggerOf(name).hear),
    tags: (name) => taggerOf(name).tags,
    models: () => [...taggersUsed.values()].map(({ provenance }) => provenance),
  };
}

function memoizePerPatch<Output>(compute: (patch: KeptPatch) => Output): (patch: KeptPatch) => Output {
  const outputs = new Map<KeptPatch, Output>();
  return (patch) => {
    const known = outputs.get(patch);
    if (known !== undefined) return known;
    const output = compute(patch);
    outputs.set(patch, output);
    return output;
  };
}

/** From 8 kHz up, a patch becomes the samples that the taggers read or, at some rates, one more. */
function resample(samples: Float32Array, rateHz: number): Float32Array {
  return withPatchKernels((kernels) => {
    const resampler = createResampler(kernels, rateHz, TAGGER_RATE_HZ, samples.length);
    const input = kernels.copyFloats(samples);
    const out = new Float32Array(Math.ceil((samples.length * TAGGER_RATE_HZ) / rateHz));
    const first = resampler.push(input.pointer, samples.length);
    out.set(resampler.output.view.subarray(0, first));
    const rest = resampler.finish();
    out.set(resampler.output.view.subarray(0, rest), first);
    return out;
  });
}
