/**
 * Does the recording sound like hip-hop, blues, country, metal, or happy? Tempo and key depend on it.
 *
 * Which of two tempi people tap, and whether a tonic with both thirds counts as minor, is a matter of convention: half time is usual in hip-hop, blues
 * and metal are called minor, country is called major. The first tagger (tagger-network.ts) on three patches suffices for this; the tags of the
 * result (analyse-tags.ts) come later, once the sections are known.
 */

import { pickEvenly } from './patch-choice.ts';
import type { KeptPatch } from './patch-keeper.ts';
import { withPatchKernels } from './patch-kernels.ts';
import type { TagListener } from './tag-listener.ts';
import { TAG_NORMS } from './tag-norms.ts';

/** How far each tag lies above its mean over recordings, in spreads (tag-norms.ts), within ±2.5. */
export type Style = { hipHop: number; blues: number; country: number; metal: number; happy: number };

const PATCH_COUNT = 3;
/** The weights that tempo and key give to these values were fitted within this range. */
const STANDING_MAX_SPREADS = 2.5;
/** 60 dB below the loudest patch: a fade-out or a pause, which has no style. */
const QUIET_POWER_RATIO = 1e-6;

/** Null when all patches are silent. */
export function hearStyle(listener: TagListener, patches: readonly KeptPatch[]): Style | null {
  const chosen = chooseStylePatches(patches);
  if (chosen.length === 0) return null;
  const heard = listener.hear('msd', chosen);
  const { mean, spread } = TAG_NORMS.msd;
  const standingSpreads = (tag: string): number => {
    const k = listener.tags('msd').indexOf(tag);
    const logit = heard.reduce((sum, { logits }) => sum + logits[k]!, 0) / heard.length;
    return Math.max(-STANDING_MAX_SPREADS, Math.min(STANDING_MAX_SPREADS, (logit - mean[k]!) / spread[k]!));
  };
  return {
    hipHop: standingSpreads('Hip-Hop'),
    blues: standingSpreads('blues'),
    country: standingSpreads('country'),
    metal: standingSpreads('metal'),
    happy: standingSpreads('happy'),
  };
}

/** Three of the patches that are not silent, evenly spread. */
export function chooseStylePatches(patches: readonly KeptPatch[]): KeptPatch[] {
  const powers = patches.map(({ samples }) => sumSquares(samples));
  const loudest = Math.max(0, ...powers);
  return pickEvenly(
    patches.filter((_, index) => powers[index]! > QUIET_POWER_RATIO * loudest),
    PATCH_COUNT,
  );
}

function sumSquares(samples: Float32Array): number {
  return withPatchKernels(({ copyFloats, exports }) =>
    exports.sumSquares(copyFloats(samples).pointer, samples.length),
  );
}
