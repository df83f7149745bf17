import { describe, expect, it } from 'vitest';
import type { Content, Tags } from '../result.ts';
import { analyseTags, type TagInput } from './analyse-tags.ts';
import { rateMusicality } from './musicality.ts';
import type { Span } from './patch-choice.ts';
import type { TagListener } from './tag-listener.ts';
import { raiseTags, TEST_TAGS } from './test-logits.ts';

const DURATION_SECONDS = 30;
/** Half a minute of music has three patches chosen out of these four. */
const patches = [0, 3, 6, 9].map((startSeconds) => ({ startSeconds, samples: new Float32Array(1) }));

type Region = Content['regions'][number];
const region = (kind: Region['kind'], startSeconds: number, endSeconds: number): Region => ({
  kind,
  startSeconds,
  endSeconds,
  confidence: 1,
});
const music = [region('music', 0, DURATION_SECONDS)];

describe('without tags', () => {
  /** No tagger may run where there is nothing to name. */
  const forbiddenListener: TagListener = {
    hear: () => {
      throw new Error('a tagger ran');
    },
    tags: () => [],
    models: () => [],
  };
  const analyse = (
    regions: Region[],
    noMusic: 'speech' | 'noise' | null = null,
    listener: TagListener | null = forbiddenListener,
  ) =>
    analyseTags(
      { patches, listener, durationSeconds: DURATION_SECONDS, isHarmonyStatic: false, lacksSubstance: false },
      { regions },
      [],
      noMusic,
    );

  it.each([
    ['without models', analyse(music, null, null), 'no_model'],
    ['for speech', analyse(music, 'speech'), 'speech'],
    ['for a few seconds of music', analyse([region('music', 0, 8), region('speech', 8, 30)]), 'too_short'],
    ['without regions', analyse([]), 'too_short'],
    [
      'without music, by the kind of the longest region',
      analyse([region('silence', 0, 5), region('noise', 5, 20), region('speech', 20, 30)]),
      'noise',
    ],
  ] as const)('there is a reason: %s', (_, { tags, ...given }, reason) => {
    expect(tags).toBeNull();
    expect(given).toEqual({ reason, moodsReason: reason, noMusic: null, hidden: null });
  });
});

/** A hidden unit with a large positive weight in musicality.ts. */
const UNIT = 120;
const HIDDEN_UNITS = 200;

/** Hidden units of the first tagger that give this musicality, which grows in proportion to log(1 + unit). */
function hiddenOf(musicality: number): Float64Array {
  const of = (value: number) =>
    Float64Array.from({ length: HIDDEN_UNITS }, (_, k) => (k === UNIT ? value : 0));
  const silent = { startSeconds: 0, logits: new Float32Array(), hidden: new Float32Array(HIDDEN_UNITS) };
  const rate = (value: number) =>
    rateMusicality({
      patches: { msd: [{ ...silent, hidden: Float32Array.from(of(value)) }], jamendo: [silent] },
    });
  const none = rate(0);
  return of(Math.expm1((musicality - none) / (rate(Math.E - 1) - none)));
}

/** Taggers in which these tags stand out by so many spreads. The hidden unit differs between patches; its mean gives the musicality. */
function listenerOf(musicality: number, spreads: Record<string, number>): TagListener {
  const hidden = { msd: hiddenOf(musicality), jamendo: new Float64Array(HIDDEN_UNITS) };
  return {
    hear: (tagger, heard) =>
      heard.map(({ startSeconds }, k) => ({
        startSeconds,
        logits: raiseTags(tagger, spreads),
        hidden: Float32Array.from(hidden[tagger], (value) => (value * 2 * (k + 1)) / (heard.length + 1)),
      })),
    tags: (tagger) => TEST_TAGS[tagger],
    models: () => [],
  };
}

describe('with two taggers', () => {
  const JAZZ = { 'msd:jazz': 3, 'jamendo:jazz': 3 };
  const CLASSICAL = { 'jamendo:classical': 3, 'jamendo:orchestral': 3, 'jamendo:strings': 3 };
  /** Each is about as likely as all other genres together. */
  const BLUES_OR_COUNTRY = { 'msd:blues': 1.5, 'msd:country': 1.5 };
  const SAD = { 'msd:sad': 3 };
  /** Plainly music. */
  const MUSIC_LOG_ODDS = 5;

  function analyse(
    musicality: number,
    spreads: Record<string, number>,
    signs: Partial<TagInput> = {},
    sections: readonly Span[] = [],
  ) {
    const listener = listenerOf(musicality, spreads);
    const input = {
      patches,
      listener,
      durationSeconds: DURATION_SECONDS,
      isHarmonyStatic: false,
      lacksSubstance: false,
    };
    return analyseTags({ ...input, ...signs }, { regions: music }, sections, null);
  }
  const labelsOf = (tags: Tags | null) => [tags?.genres[0]?.label ?? null, tags?.moods[0]?.label ?? null];

  it.each([
    ['a genre and a mood', { ...JAZZ, ...SAD }, ['jazz', 'sad'], null, null],
    ['a genre alone', JAZZ, ['jazz', null], null, 'nothing_stands_out'],
    ['a mood alone', SAD, [null, 'sad'], 'nothing_stands_out', null],
    ['nothing', {}, [null, null], 'nothing_stands_out', 'nothing_stands_out'],
  ] as const)(
    'names what stands out, and gives a reason for what is absent: %s',
    (_, spreads, labels, reason, moodsReason) => {
      const { tags, ...given } = analyse(MUSIC_LOG_ODDS, spreads);
      expect(labelsOf(tags)).toEqual(labels);
      expect(given).toMatchObject({ reason, moodsReason, noMusic: null });
    },
  );

  it('names a genre in the sections where it stands out', () => {
    const [plain, jazz] = [listenerOf(MUSIC_LOG_ODDS, {}), listenerOf(MUSIC_LOG_ODDS, JAZZ)];
    const heardSeconds = new Set<number>();
    const listener: TagListener = {
      ...jazz,
      hear: (tagger, heard) =>
        heard.flatMap((patch) => {
          heardSeconds.add(patch.startSeconds);
          return (patch.startSeconds < 3 ? plain : jazz).hear(tagger, [patch]);
        }),
    };
    const sections = [
      { startSeconds: 0, endSeconds: 3 },
      { startSeconds: 3, endSeconds: 12 },
      { startSeconds: 12, endSeconds: DURATION_SECONDS },
    ];
    const { tags } = analyse(MUSIC_LOG_ODDS, JAZZ, { listener }, sections);
    expect(tags!.genres[0]).toMatchObject({ label: 'jazz', spans: [{ startSeconds: 3, endSeconds: 12 }] });
    // Of the three in the second section, the first and the last.
    expect([...heardSeconds]).toEqual([0, 3, 9]);
  });

  it('names a genre in the whole piece if it has no sections', () => {
    const { tags } = analyse(MUSIC_LOG_ODDS, JAZZ);
    expect(tags!.genres[0]!.spans).toMatchObject([{ startSeconds: 0, endSeconds: DURATION_SECONDS }]);
  });

  it('averages the hidden units of the first tagger over the patches', () => {
    const { hidden } = analyse(MUSIC_LOG_ODDS, JAZZ);
    const expected = hiddenOf(MUSIC_LOG_ODDS);
    expect(hidden).toHaveLength(HIDDEN_UNITS);
    // Hidden units of a patch have single precision, seven digits.
    hidden!.forEach((value, k) => {
      expect(Math.abs(value - expected[k]!)).toBeLessThanOrEqual(1e-6 * expected[k]!);
    });
  });

  it('calls a sound below -3 in log odds noise, but keeps its hidden units', () => {
    expect(analyse(-3.1, {})).toEqual({
      tags: null,
      reason: 'noise',
      moodsReason: 'noise',
      noMusic: 'noise',
      hidden: expect.any(Float64Array),
    });
    expect(analyse(-2.9, {})).toMatchObject({ reason: 'nothing_stands_out', noMusic: null });
  });

  it.each([
    ['named at a musicality of 0.25 or more', 0.3, BLUES_OR_COUNTRY, 'blues'],
    ['not named below', 0.2, BLUES_OR_COUNTRY, null],
    ['named at a lower musicality if it is plain', -2, JAZZ, 'jazz'],
    // The log odds of 0.995, the highest confidence, are 5.3.
    ['named at -5 if its confidence is the highest possible', -5, JAZZ, 'jazz'],
    ['not named below that, however plain', -5.2, JAZZ, null],
  ] as const)('a genre is %s', (_, musicality, spreads, label) => {
    const { tags, reason } = analyse(musicality, spreads);
    expect(labelsOf(tags)).toEqual([label, null]);
    expect(reason).toBe(label === null ? 'nothing_stands_out' : null);
  });

  it.each([
    ['classical music whose harmony moves has tags', CLASSICAL, {}, 'classical'],
    [
      'classical music whose harmony does not move is a bell or a siren, and has none',
      CLASSICAL,
      { isHarmonyStatic: true },
      null,
    ],
    ['another genre whose harmony does not move has tags', JAZZ, { isHarmonyStatic: true }, 'jazz'],
    ['a sound without notes or a beat has none', JAZZ, { lacksSubstance: true }, null],
  ] as const)('%s', (_, spreads, signs, label) => {
    const { tags, moodsReason } = analyse(MUSIC_LOG_ODDS, { ...spreads, ...SAD }, signs);
    expect(labelsOf(tags)).toEqual(label === null ? [null, null] : [label, 'sad']);
    expect(moodsReason).toBe(label === null ? 'nothing_stands_out' : null);
  });
});
