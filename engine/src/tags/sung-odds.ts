/**
 * Is there singing anywhere in this recording?
 *
 * Frame by frame, a leading violin or saxophone sounds much like a singer: it has formants, vibrato, and a line with breaths. Three seconds of
 * context tell them apart better, and the first tagger was trained on a great many songs with tags such as "instrumental". Logistic
 * regression on four of its tags gives log odds. It reads the same patches as the style (style.ts), whose output is kept, so it costs nothing more.
 * What it was fitted on: training/README.md, voice-v3.
 */

import type { KeptPatch } from './patch-keeper.ts';
import { chooseStylePatches } from './style.ts';
import type { TagListener } from './tag-listener.ts';

const BIAS_LOGIT = 9.3;
const WEIGHTS: readonly (readonly [tag: string, weight: number])[] = [
  ['instrumental', -2.07],
  ['male vocalists', 2.86],
  ['Hip-Hop', 0.46],
  ['jazz', -0.28],
];

/** Log odds that the recording has a voice, sung, rapped or spoken; null when all patches are silent. */
export function rateSung(listener: TagListener, patches: readonly KeptPatch[]): number | null {
  const chosen = chooseStylePatches(patches);
  if (chosen.length === 0) return null;
  const heard = listener.hear('msd', chosen);
  const tags = listener.tags('msd');
  return WEIGHTS.reduce((logOdds, [tag, weight]) => {
    const k = tags.indexOf(tag);
    return logOdds + (weight * heard.reduce((sum, { logits }) => sum + logits[k]!, 0)) / heard.length;
  }, BIAS_LOGIT);
}
