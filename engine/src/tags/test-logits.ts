import { TAG_NORMS } from './tag-norms.ts';
import { listTagsUsed, type TaggerName } from './taxonomy.ts';

/** The tags that are read, padded with others to 50, as many as a tagger has. */
const tagsOf = (tagger: TaggerName): string[] => {
  const used = listTagsUsed(tagger);
  return Array.from({ length: 50 }, (_, k) => used[k] ?? `other ${k}`);
};
export const TEST_TAGS = { msd: tagsOf('msd'), jamendo: tagsOf('jamendo') };

/** The logits of a tagger when these tags (`msd:jazz`) lie that many spreads above their means, and all others at theirs. */
export function raiseTags(tagger: TaggerName, spreads: Record<string, number>): Float32Array {
  const known = Object.entries(TEST_TAGS).flatMap(([name, tags]) => tags.map((tag) => `${name}:${tag}`));
  for (const key of Object.keys(spreads)) if (!known.includes(key)) throw new Error(`no tagger has ${key}`);
  const { mean, spread } = TAG_NORMS[tagger];
  return Float32Array.from(
    TEST_TAGS[tagger],
    (tag, k) => mean[k]! + (spreads[`${tagger}:${tag}`] ?? 0) * spread[k]!,
  );
}
