/**
 * What kind of music does a recording sound like, as far as its tempo and its key depend on it?
 *
 * Which of two tempi people tap, and whether a tonic with both thirds counts as minor, is a matter of custom: half time is usual in hip-hop, blues
 * and metal are called minor, country is called major. Three patches of the first tagger tell enough of the style; the tags that are
 * reported (analyse-tags.ts) are heard later, once the sections are known.
 */

import { spread } from './patch-choice.ts';
import type { KeptPatch } from './patch-keeper.ts';
import { withPatchKernels } from './patch-kernels.ts';
import type { TagListener } from './tag-listener.ts';
import { TAG_NORMS } from './tag-norms.ts';

/** In spreads above the mean of recordings (tag-norms.ts), within ±STANDING_MAX. */
export type Style = { hipHop: number; blues: number; country: number; metal: number; happy: number };

const TAGS = {
  hipHop: 'Hip-Hop',
  blues: 'blues',
  country: 'country',
  metal: 'metal',
  happy: 'happy',
} as const;
const PATCH_COUNT = 3;
/** Beyond, a tag says no more: the weights of its standing were fitted within. */
const STANDING_MAX = 2.5;
/** −60 dB from the loudest patch, in power: silence has no style. */
const QUIET_POWER_RATIO = 1e-6;

/** Null when there is nothing to hear. */
export function hearStyle(listener: TagListener, patches: readonly KeptPatch[]): Style | null {
  const chosen = chooseStylePatches(patches);
  if (chosen.length === 0) return null;
  const heard = listener.hear('msd', chosen);
  const { mean, spread: spreads } = TAG_NORMS.msd;
  const standing = (tag: string): number => {
    const k = listener.tags('msd').indexOf(tag);
    const logit = heard.reduce((sum, { logits }) => sum + logits[k]!, 0) / heard.length;
    return Math.max(-STANDING_MAX, Math.min(STANDING_MAX, (logit - mean[k]!) / spreads[k]!));
  };
  return {
    hipHop: standing(TAGS.hipHop),
    blues: standing(TAGS.blues),
    country: standing(TAGS.country),
    metal: standing(TAGS.metal),
    happy: standing(TAGS.happy),
  };
}

/** Of the patches that can be heard, evenly spread ones; none of silence. */
export function chooseStylePatches(patches: readonly KeptPatch[]): KeptPatch[] {
  const powers = patches.map(({ samples }) => sumSquares(samples));
  const loudest = Math.max(0, ...powers);
  return spread(
    patches.filter((_, index) => powers[index]! > QUIET_POWER_RATIO * loudest),
    PATCH_COUNT,
  );
}

function sumSquares(samples: Float32Array): number {
  return withPatchKernels(({ copyFloats, exports }) =>
    exports.sumSquares(copyFloats(samples).pointer, samples.length),
  );
}
