import { TAG_NORMS } from './tag-norms.ts';
import { listTagsUsed, type TaggerName } from './taxonomy.ts';

/** The tags that the code reads, padded with others to 50. */
const tagsOf = (tagger: TaggerName): string[] => {
  const used = [...listTagsUsed(tagger), ...(tagger === 'msd' ? ['instrumental'] : [])];
  return Array.from({ length: 50 }, (_, k) => used[k] ?? `other ${k}`);
};
export const TEST_TAGS = { msd: tagsOf('msd'), jamendo: tagsOf('jamendo') };

/** The logits of a tagger when these tags lie that many spreads above their means, and all others at theirs. */
export function raiseTags(tagger: TaggerName, spreads: Record<string, number>): Float32Array {
  const { mean, spread } = TAG_NORMS[tagger];
  return Float32Array.from(
    TEST_TAGS[tagger],
    (tag, k) => mean[k]! + (spreads[`${tagger}:${tag}`] ?? 0) * spread[k]!,
  );
}
