import { describe, expect, it } from 'vitest';
import type { HeardTags } from './hear-tags.ts';
import { nameTags as nameHeard } from './name-tags.ts';
import { GENRES, type TaggerName } from './taxonomy.ts';
import { raiseTags, TEST_TAGS } from './test-logits.ts';

/** Patches that start at these seconds, each with tags that lie that many spreads above their means; all others are at theirs. */
function hear(patches: [startSeconds: number, raised: Record<string, number>][]): HeardTags {
  const of = (tagger: TaggerName) =>
    patches.map(([startSeconds, raised]) => ({
      startSeconds,
      hidden: new Float32Array(1),
      logits: raiseTags(tagger, raised),
    }));
  return { tags: TEST_TAGS, patches: { msd: of('msd'), jamendo: of('jamendo') } };
}
/** Musicality of 0: as likely music as not. */
const nameTags = (heard: HeardTags, sections: Parameters<typeof nameHeard>[1]) =>
  nameHeard(heard, sections, 0);
const SECTIONS = [
  { startSeconds: 0, endSeconds: 30 },
  { startSeconds: 30, endSeconds: 60 },
  { startSeconds: 60, endSeconds: 90 },
];

/** What a genre of this score weighs in the softmax, whose steepness is 3.6. */
const weigh = (score: number) => Math.exp(3.6 * score);
/** "No genre" scores 0.7. */
const NO_GENRE = weigh(0.7);
/** Narrow genres are 1.5 spreads worse off than the ten broad ones. */
const NARROW_COUNT = GENRES.length - 10;
const NARROW = weigh(-1.5);

describe('genres', () => {
  it('have as confidence their share among all genres and none', () => {
    // Blues and soul have one tag each, with a spread of 1.
    const weights = { blues: weigh(1.6), soul: weigh(2.9 - 1.5) };
    const total = weights.blues + weights.soul + NO_GENRE + 9 + (NARROW_COUNT - 1) * NARROW;
    const { genres } = nameTags(hear([[5, { 'msd:blues': 1.6, 'msd:soul': 2.9 }]]), []);
    expect(genres.slice(0, 2).map(({ label }) => label)).toEqual(['blues', 'soul']);
    // Confidences are rounded to three digits.
    expect(genres[0]!.confidence).toBeCloseTo(weights.blues / total, 3);
    expect(genres[1]!.confidence).toBeCloseTo(weights.soul / total, 3);
  });

  it('lose 1.5 spreads for each by which `instrumental` exceeds 1, if they are usually sung', () => {
    const { genres } = nameTags(hear([[5, { 'msd:country': 2.5, 'msd:instrumental': 1.5 }]]), []);
    const sungCost = 1.5 * (1.5 - 1);
    const country = weigh(2.5 - sungCost);
    // The other sung genres are pop, hip-hop and the narrow singer-songwriter.
    const others = 7 + 2 * weigh(-sungCost) + (NARROW_COUNT - 1) * NARROW + weigh(-1.5 - sungCost);
    expect(genres[0]).toMatchObject({ label: 'country' });
    expect(genres[0]!.confidence).toBeCloseTo(country / (country + others + NO_GENRE), 3);
  });

  it('are listed from a confidence of 0.01 for the first three, and of 0.02 for the others', () => {
    const scoreOf = (weight: number) => Math.log(weight) / 3.6;
    const nameWeights = (reggae: number, trance: number) => {
      const tags = {
        'msd:blues': scoreOf(900),
        'msd:country': scoreOf(30),
        'jamendo:reggae': scoreOf(reggae),
        'jamendo:trance': scoreOf(trance) + 1.5,
      };
      return nameTags(hear([[5, tags]]), []).genres.map(({ label }) => label);
    };
    // The sum of all weights is nearly 1000.
    expect(nameWeights(12, 11)).toEqual(['blues', 'country', 'reggae']);
    expect(nameWeights(12, 22)).toEqual(['blues', 'country', 'trance']);
    expect(nameWeights(8, 1)).toEqual(['blues', 'country']);
  });

  it('are five at most', () => {
    const narrow = ['msd:soul', 'jamendo:trance', 'jamendo:world', 'msd:hard rock', 'jamendo:newage'];
    const raised = Object.fromEntries(narrow.map((tag) => [tag, 2.8]));
    const { genres } = nameTags(hear([[5, { 'msd:blues': 1.7, ...raised }]]), []);
    expect(genres).toHaveLength(5);
  });

  it('are only the one whose tags stand out, at full confidence', () => {
    const { genres } = nameTags(hear([[5, { 'msd:jazz': 3, 'jamendo:jazz': 3 }]]), []);
    // The others and none weigh 21 together, jazz 70,000.
    expect(genres).toEqual([{ label: 'jazz', confidence: 1, spans: [] }]);
  });

  it('are empty when nothing stands out', () => {
    expect(nameTags(hear([[5, {}]]), []).genres).toEqual([]);
  });

  it('are empty, like all other words, if `experimental` scores above 2.2 at a musicality below 1', () => {
    const hearStrange = (score: number) => {
      // The spread of the mean of the two tags.
      const strange = { 'msd:experimental': 0.869 * score, 'jamendo:experimental': 0.869 * score };
      return hear([[5, { ...strange, 'msd:jazz': 5, 'jamendo:jazz': 5 }]]);
    };
    const nothing = { genres: [], moods: [], instruments: [], eras: [] };
    expect(nameHeard(hearStrange(2.21), [], 0.99)).toEqual(nothing);
    expect(nameHeard(hearStrange(2.21), [], 1).genres[0]).toMatchObject({ label: 'jazz' });
    expect(nameHeard(hearStrange(2.19), [], 0.99).genres[0]).toMatchObject({ label: 'jazz' });
  });

  it('have confidences that sum to at most one', () => {
    const { genres } = nameTags(hear([[5, { 'msd:blues': 1.5, 'msd:country': 1.4 }]]), []);
    expect(genres.map(({ label }) => label).slice(0, 2)).toEqual(['blues', 'country']);
    // Each is rounded to three digits.
    expect(genres.reduce((sum, { confidence }) => sum + confidence, 0)).toBeLessThanOrEqual(1.001);
  });

  it('leave out one that is usually sung in instrumental music', () => {
    const nameGenres = (instrumental: number) =>
      nameTags(hear([[5, { 'msd:country': 1.9, 'msd:instrumental': instrumental }]]), []).genres;
    expect(nameGenres(0)[0]).toMatchObject({ label: 'country' });
    expect(nameGenres(2)).toEqual([]);
  });

  it('are empty when the first is less likely than no genre', () => {
    const nameAt = (spreads: number) => nameHeard(hear([[5, { 'msd:blues': spreads }]]), [], 2).genres;
    expect(nameAt(0.69)).toEqual([]);
    expect(nameAt(0.71)[0]).toMatchObject({ label: 'blues' });
  });

  it('begin with one of low confidence only if the sound is plainly music', () => {
    const alike = { 'msd:blues': 1.05, 'msd:country': 1.04, 'jamendo:classical': 2.06 };
    const confidenceOfFirst = (others: Record<string, number>, musicality: number) =>
      nameHeard(hear([[5, { ...alike, ...others }]]), [], musicality).genres[0]?.confidence ?? null;
    // Plain music takes 0.2, other sound 0.3.
    expect(confidenceOfFirst({}, 1.99)).toBe(0.304);
    const third = { 'jamendo:reggae': 0.5 };
    expect([confidenceOfFirst(third, 2), confidenceOfFirst(third, 1.99)]).toEqual([0.294, null]);
    const quarter = { 'jamendo:reggae': 1.04 };
    expect([confidenceOfFirst(quarter, 2), confidenceOfFirst(quarter, 1.99)]).toEqual([0.239, null]);
    // One of six, with "no genre".
    expect(confidenceOfFirst({ ...quarter, 'msd:jazz': 2 }, 2)).toBeNull();
  });

  it('need more of a narrow genre than of a broad one', () => {
    const nameRaised = (tag: string, spreads: number) =>
      nameTags(hear([[5, { [tag]: spreads }]]), []).genres[0]?.label ?? null;
    expect([nameRaised('msd:blues', 1.4), nameRaised('msd:punk', 1.4)]).toEqual(['blues', null]);
    expect(nameRaised('msd:punk', 1.4 + 1.5)).toBe('punk');
  });
});

describe('moods, instruments and decades', () => {
  it('are five, eight and two at most, the most confident first', () => {
    const moods = ['sad', 'party', 'Mellow', 'beautiful', 'sexy', 'catchy'].map((tag) => `msd:${tag}`);
    const instruments = 'bass computer drums keyboard piano strings violin synthesizer drummachine'
      .split(' ')
      .map((tag) => `jamendo:${tag}`);
    const eras = ['60s', '70s', '80s'].map((tag) => `msd:${tag}`);
    const raised = [moods, instruments, eras].flatMap((tags) => tags.map((tag, k) => [tag, 2 + 0.1 * k]));
    const named = nameTags(hear([[5, Object.fromEntries(raised)]]), []);
    expect(named.moods.map(({ label }) => label)).toEqual([
      'catchy',
      'sensual',
      'beautiful',
      'mellow',
      'party',
    ]);
    expect(named.instruments).toHaveLength(8);
    expect(named.instruments[0]).toMatchObject({ label: 'drum machine' });
    expect(named.eras.map(({ label }) => label)).toEqual(['1980s', '1970s']);
  });

  it('are named from a confidence of 0.6; the score of 0.8 has 0.5', () => {
    // The logistic function of 1.7 · (1.04 - 0.8), and of 1.7 · (1.03 - 0.8), which is 0.597.
    expect(nameTags(hear([[5, { 'jamendo:piano': 1.04 }]]), []).instruments).toEqual([
      { label: 'piano', confidence: 0.601, spans: [] },
    ]);
    expect(nameTags(hear([[5, { 'jamendo:piano': 1.03 }]]), []).instruments).toEqual([]);
  });

  const piano = { 'jamendo:piano': 4 };

  it('have as spans the sections in which they stand out, adjacent ones joined', () => {
    const { instruments } = nameTags(
      hear([
        [5, {}],
        [40, { 'jamendo:piano': 2 }],
        [65, piano],
      ]),
      SECTIONS,
    );
    // The joined span has the higher confidence, the logistic function of 1.7 · (4 - 0.8).
    expect(instruments).toMatchObject([
      { label: 'piano', spans: [{ startSeconds: 30, endSeconds: 90, confidence: 0.996 }] },
    ]);
  });

  it('stand out in a section that only the first tagger heard if they do in the whole song for the second', () => {
    const heard = hear([
      [5, piano],
      [40, {}],
    ]);
    const { jamendo } = heard.patches;
    const first = { ...heard, patches: { ...heard.patches, jamendo: jamendo.slice(0, 1) } };
    const spansIn = (song: HeardTags) => nameTags(song, SECTIONS).instruments.map(({ spans }) => spans);
    expect(spansIn(first)).toMatchObject([[{ startSeconds: 0, endSeconds: 60 }]]);
    expect(spansIn(heard)).toMatchObject([[{ startSeconds: 0, endSeconds: 30 }]]);
  });
});
