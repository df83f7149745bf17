import { describe, expect, it } from 'vitest';
import type { Content, Tags } from '../result.ts';
import { analyseTags } from './analyse-tags.ts';
import { rateMusicality } from './musicality.ts';
import type { TagListener } from './tag-listener.ts';
import { raiseTags, TEST_TAGS } from './test-logits.ts';

const DURATION_SECONDS = 30;
/** Of four patches in half a minute three are heard. */
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
  /** Where there is nothing to name, nobody listens. */
  const unasked: TagListener = {
    hear: () => {
      throw new Error('a tagger was asked');
    },
    tags: () => [],
    models: () => [],
  };
  const analyse = (
    regions: Region[],
    noMusic: 'speech' | 'noise' | null = null,
    listener: TagListener | null = unasked,
  ) =>
    analyseTags(
      { patches, listener, durationSeconds: DURATION_SECONDS, isStill: false, isBare: false },
      { regions },
      [],
      noMusic,
    );

  it.each([
    ['without models', analyse(music, null, null), 'no_model'],
    ['of speech', analyse(music, 'speech'), 'speech'],
    ['of a few seconds of music', analyse([region('music', 0, 8), region('speech', 8, 30)]), 'too_short'],
    ['of nothing', analyse([]), 'too_short'],
    [
      'of what is not music, for the longest of it',
      analyse([region('silence', 0, 5), region('noise', 5, 20), region('speech', 20, 30)]),
      'noise',
    ],
  ] as const)('%s', (_, { tags, ...given }, reason) => {
    expect(tags).toBeNull();
    expect(given).toEqual({ reason, moodsReason: reason, noMusic: null, hidden: null });
  });
});

/** One of the hidden units that speak for music. */
const UNIT = 120;
const HIDDEN_UNITS = 200;

/** Hidden units of the first tagger that make it music by these log odds: they go up in proportion to log(1 + unit). */
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

/** Taggers in which these tags stand out by so many spreads. The patches differ in the hidden unit; their mean is what was asked for. */
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

describe('what two taggers say', () => {
  const JAZZ = { 'msd:jazz': 3, 'jamendo:jazz': 3 };
  const CLASSICAL = { 'jamendo:classical': 3, 'jamendo:orchestral': 3, 'jamendo:strings': 3 };
  /** Either is about as likely as all the other genres together. */
  const BLUES_OR_COUNTRY = { 'msd:blues': 1.5, 'msd:country': 1.5 };
  const SAD = { 'msd:sad': 3 };
  /** Log odds: plainly music. */
  const MUSIC = 5;

  function analyse(musicality: number, spreads: Record<string, number>, signs = {}) {
    const listener = listenerOf(musicality, spreads);
    const input = { patches, listener, durationSeconds: DURATION_SECONDS, isStill: false, isBare: false };
    return analyseTags({ ...input, ...signs }, { regions: music }, [], null);
  }
  const labelsOf = (tags: Tags | null) => [tags?.genres[0]?.label ?? null, tags?.moods[0]?.label ?? null];

  it.each([
    ['a genre and a mood', { ...JAZZ, ...SAD }, ['jazz', 'sad'], null, null],
    ['a genre alone', JAZZ, ['jazz', null], null, 'nothing_stands_out'],
    ['a mood alone', SAD, [null, 'sad'], 'nothing_stands_out', null],
    ['nothing', {}, [null, null], 'nothing_stands_out', 'nothing_stands_out'],
  ] as const)('is named, or missing with a reason: %s', (_, spreads, labels, reason, moodsReason) => {
    const { tags, ...given } = analyse(MUSIC, spreads);
    expect(labelsOf(tags)).toEqual(labels);
    expect(given).toMatchObject({ reason, moodsReason, noMusic: null });
  });

  it('leaves the hidden units of the first as their mean', () => {
    const { hidden } = analyse(MUSIC, JAZZ);
    const expected = hiddenOf(MUSIC);
    expect(hidden).toHaveLength(HIDDEN_UNITS);
    // Each patch is rounded to 32 bits, which hold seven digits.
    hidden!.forEach((value, k) => {
      expect(Math.abs(value - expected[k]!)).toBeLessThanOrEqual(1e-6 * expected[k]!);
    });
  });

  it('is noise where it is far from music, and the hidden units stay', () => {
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
    ['is named where it is likelier music than not', 0.3, BLUES_OR_COUNTRY, 'blues'],
    ['is not where it hardly is', 0.2, BLUES_OR_COUNTRY, null],
    ['is where it is plain, in what is not quite music', -2, JAZZ, 'jazz'],
    // At most 0.995, which is 5.3 in log odds.
    ['is where it is plain, in what would be noise', -5, JAZZ, 'jazz'],
    ['is not in what no genre outweighs', -5.2, JAZZ, null],
  ] as const)('a genre %s', (_, musicality, spreads, label) => {
    const { tags, reason } = analyse(musicality, spreads);
    expect(labelsOf(tags)).toEqual([label, null]);
    expect(reason).toBe(label === null ? 'nothing_stands_out' : null);
  });

  it.each([
    ['a bell or a siren is no classical music', CLASSICAL, { isStill: true }, null],
    ['classical music moves', CLASSICAL, {}, 'classical'],
    ['another genre may stand still', JAZZ, { isStill: true }, 'jazz'],
    ['without notes and without a beat there is no music', JAZZ, { isBare: true }, null],
  ] as const)('%s', (_, spreads, signs, label) => {
    const { tags, moodsReason } = analyse(MUSIC, { ...spreads, ...SAD }, signs);
    expect(labelsOf(tags)).toEqual(label === null ? [null, null] : [label, 'sad']);
    expect(moodsReason).toBe(label === null ? 'nothing_stands_out' : null);
  });
});
