import { describe, expect, it } from 'vitest';
import type { HeardTags } from './hear-tags.ts';
import { nameTags as nameHeard } from './name-tags.ts';
import type { TaggerName } from './taxonomy.ts';
import { raiseTags, TEST_TAGS } from './test-logits.ts';

/** Patches that start at these seconds, each with tags that stand out by so many spreads; all other tags are at their means. */
function hear(patches: [startSeconds: number, raised: Record<string, number>][]): HeardTags {
  const of = (tagger: TaggerName) =>
    patches.map(([startSeconds, raised]) => ({
      startSeconds,
      hidden: new Float32Array(1),
      logits: raiseTags(tagger, raised),
    }));
  return { tags: TEST_TAGS, patches: { msd: of('msd'), jamendo: of('jamendo') } };
}
/** For sound that is as likely music as not. */
const nameTags = (heard: HeardTags, sections: Parameters<typeof nameHeard>[1]) =>
  nameHeard(heard, sections, 0);
const SECTIONS = [
  { startSeconds: 0, endSeconds: 30 },
  { startSeconds: 30, endSeconds: 60 },
  { startSeconds: 60, endSeconds: 90 },
];

describe('genres', () => {
  it('begin with the one whose tags stand out, at a high confidence', () => {
    const { genres } = nameTags(hear([[5, { 'msd:jazz': 3, 'jamendo:jazz': 3 }]]), []);
    expect(genres[0]!.label).toBe('jazz');
    expect(genres[0]!.confidence).toBeGreaterThan(0.9);
  });

  it('are empty when nothing stands out', () => {
    expect(nameTags(hear([[5, {}]]), []).genres).toEqual([]);
  });

  it('are empty, like all other words, for sound too strange to be music', () => {
    const strange = { 'msd:experimental': 3, 'jamendo:experimental': 3, 'jamendo:classical': 3 };
    const heard = hear([[5, strange]]);
    expect(nameHeard(heard, [], 0.5)).toEqual({ genres: [], moods: [], instruments: [], eras: [] });
    expect(nameHeard(heard, [], 3).genres).not.toEqual([]);
  });

  it('have confidences that sum to at most one', () => {
    const { genres } = nameTags(hear([[5, { 'msd:blues': 1.5, 'msd:country': 1.4 }]]), []);
    expect(genres.map(({ label }) => label).slice(0, 2)).toEqual(['blues', 'country']);
    // Each is rounded to three digits.
    expect(genres.reduce((sum, { confidence }) => sum + confidence, 0)).toBeLessThanOrEqual(1.001);
  });

  it('leave out one that is usually sung where nobody sings', () => {
    const nameOf = (instrumental: number) =>
      nameTags(hear([[5, { 'msd:country': 1.9, 'msd:instrumental': instrumental }]]), []).genres[0];
    expect(nameOf(0)).toMatchObject({ label: 'country' });
    expect(nameOf(2)?.label).not.toBe('country');
  });

  it('are empty when the first is less likely than none', () => {
    expect(nameTags(hear([[5, { 'msd:blues': 0.6 }]]), []).genres).toEqual([]);
    expect(nameTags(hear([[5, { 'msd:blues': 1.4 }]]), []).genres[0]).toMatchObject({ label: 'blues' });
  });

  it('begin with one of low confidence only where the sound is plainly music', () => {
    const alike = {
      'msd:blues': 1.05,
      'msd:country': 1.04,
      'jamendo:classical': 2.06,
      'jamendo:reggae': 1.04,
    };
    const heard = hear([[5, alike]]);

    const [first] = nameHeard(heard, [], 3).genres;
    expect(first!.confidence).toBeGreaterThan(0.2);
    expect(first!.confidence).toBeLessThan(0.3);
    expect(nameHeard(heard, [], 1.7).genres).toEqual([]);
  });

  it('need more of a narrow genre than of a broad one', () => {
    const broad = nameTags(hear([[5, { 'msd:blues': 2 }]]), []).genres[0]!;
    const narrow = nameTags(hear([[5, { 'msd:punk': 2 }]]), []).genres[0];
    expect(narrow?.confidence ?? 0).toBeLessThan(broad.confidence);
  });
});

describe('moods, instruments and decades', () => {
  it('are named from a confidence of 0.6, 0.5 being at 0.8 spreads', () => {
    // The logistic function of 1.7 · (1.1 - 0.8), and of 1.7 · (1 - 0.8), which is 0.58.
    expect(nameTags(hear([[5, { 'jamendo:piano': 1.1 }]]), []).instruments).toEqual([
      { label: 'piano', confidence: 0.625, spans: [] },
    ]);
    expect(nameTags(hear([[5, { 'jamendo:piano': 1 }]]), []).instruments).toEqual([]);
  });

  it('have as spans the sections in which they stand out, neighbours joined', () => {
    const piano = { 'jamendo:piano': 4 };
    const { instruments } = nameTags(
      hear([
        [5, {}],
        [40, piano],
        [65, piano],
      ]),
      SECTIONS,
    );
    expect(instruments).toMatchObject([{ label: 'piano', spans: [{ startSeconds: 30, endSeconds: 90 }] }]);
  });
});
