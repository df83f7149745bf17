/**
 * What does a tagger say of a patch? Each is heard once: the style of a recording is heard before its sections are known, its tags after, and the two
 * mostly choose the same patches.
 */

import { readModelFile } from '../learned/model-file.ts';
import { oncePerModel } from '../learned/once-per-model.ts';
import type { ModelProvenance } from '../result.ts';
import { createKernels } from '../signal/kernels.ts';
import { createResampler } from '../signal/resample.ts';
import { createMelPower, HOP_SAMPLES, TAGGER_RATE_HZ, WINDOW_SAMPLES } from './mel-power.ts';
import { type KeptPatch, PATCH_SECONDS } from './patch-keeper.ts';
import { withPatchKernels } from './patch-kernels.ts';
import { createTagger, type TaggedPatch } from './tagger-network.ts';
import type { TaggerName } from './taxonomy.ts';

export type HeardPatch = { startSeconds: number } & TaggedPatch;
export type TaggerModels = Record<TaggerName, Uint8Array>;

export type TagListener = {
  /** What the tagger says of each patch, in their order. */
  hear(tagger: TaggerName, patches: readonly KeptPatch[]): HeardPatch[];
  tags(tagger: TaggerName): readonly string[];
  /** Of the taggers that were asked. */
  models(): ModelProvenance[];
};

type Ear = {
  tags: readonly string[];
  provenance: ModelProvenance;
  hear(patch: KeptPatch): HeardPatch;
};

/** A patch leaves nothing behind in them that the next could hear. */
const toolsOf = oncePerModel((model) => {
  const kernels = createKernels();
  const tagger = createTagger(kernels, model);
  return { tagger, measure: createMelPower(kernels, tagger.sizes.mel) };
});

/** `rateHz` is that of the patches. */
export function createTagListener(models: TaggerModels, rateHz: number): TagListener {
  const ears = new Map<TaggerName, Ear>();
  const samplesOf = remember(({ samples }: KeptPatch) => resample(samples, rateHz));
  const earOf = (name: TaggerName): Ear => {
    const known = ears.get(name);
    if (known) return known;
    const model = readModelFile(models[name]);
    const { tagger, measure } = toolsOf(model);
    const ear: Ear = {
      tags: tagger.sizes.tags,
      provenance: model.provenance,
      hear: remember((patch) => ({
        startSeconds: patch.startSeconds,
        ...tagger.tag(measure(samplesOf(patch), tagger.sizes.frameCount)),
      })),
    };
    ears.set(name, ear);
    return ear;
  };
  return {
    hear: (name, patches) => patches.map(earOf(name).hear),
    tags: (name) => earOf(name).tags,
    models: () => [...ears.values()].map(({ provenance }) => provenance),
  };
}

function remember<Answer>(ask: (patch: KeptPatch) => Answer): (patch: KeptPatch) => Answer {
  const answers = new Map<KeptPatch, Answer>();
  return (patch) => {
    const known = answers.get(patch);
    if (known !== undefined) return known;
    const answer = ask(patch);
    answers.set(patch, answer);
    return answer;
  };
}

const PATCH_SAMPLES = Math.round(PATCH_SECONDS * TAGGER_RATE_HZ);

/** To the taggers' rate; a sample or two short of the last frame count as silence. */
function resample(samples: Float32Array, rateHz: number): Float32Array {
  return withPatchKernels((kernels) => {
    const resampler = createResampler(kernels, rateHz, TAGGER_RATE_HZ, samples.length);
    const input = kernels.copyFloats(samples);
    const out = new Float32Array(Math.ceil(PATCH_SAMPLES / HOP_SAMPLES + 1) * HOP_SAMPLES + WINDOW_SAMPLES);
    const first = resampler.push(input.pointer, samples.length);
    const keep = (count: number, at: number): void =>
      out.set(resampler.output.view.subarray(0, Math.max(0, Math.min(count, out.length - at))), at);
    keep(first, 0);
    keep(resampler.finish(), first);
    return out;
  });
}
