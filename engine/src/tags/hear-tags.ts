/** Runs the taggers on the chosen patches: the first on all of them, the second, which costs three times as much (docs/algorithms.md), on at most three. */

import { pickEvenly } from './patch-choice.ts';
import type { KeptPatch } from './patch-keeper.ts';
import type { HeardPatch, TagListener } from './tag-listener.ts';
import type { TaggerName } from './taxonomy.ts';

export type HeardTags = {
  tags: Record<TaggerName, readonly string[]>;
  patches: Record<TaggerName, HeardPatch[]>;
};

const SECOND_TAGGER_PATCHES_MAX = 3;

export function hearTags(listener: TagListener, patches: readonly KeptPatch[]): HeardTags {
  const few = pickEvenly(patches, SECOND_TAGGER_PATCHES_MAX);
  const heard = { msd: listener.hear('msd', patches), jamendo: listener.hear('jamendo', few) };
  return { tags: { msd: listener.tags('msd'), jamendo: listener.tags('jamendo') }, patches: heard };
}
