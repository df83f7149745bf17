import { describe, expect, it } from 'vitest';
import type { TrackedBeat } from './bar-tracker.ts';
import { chooseMeter, chooseTempo, type TempoChoice } from './tempo-choice.ts';
import type { TempoLevel } from './tempo-levels.ts';

const DURATION_SECONDS = 100;
const METERS = [2, 3, 4];

/** A level whose beats score `perBeat` each in bars of four; bars of two and of three score these shares of that. */
function makeLevel(bpm: number, perBeat: number, { inTwos = 0.8, inThrees = 0.5 } = {}): TempoLevel {
  const beats = Array.from(
    { length: Math.round((bpm / 60) * DURATION_SECONDS) },
    (): TrackedBeat => ({
      frame: 0,
      placeInBar: 0,
      beatsPerBar: 4,
      periodFrames: (60 * 50) / bpm,
    }),
  );
  const score = beats.length * perBeat;
  return {
    bpm,
    bpmMin: bpm / 1.2,
    bpmMax: bpm * 1.2,
    track: { beats, score, meterScores: [inTwos * score, inThrees * score, score] },
  };
}

/** As if its meter were hinted, so that no other was tracked. */
const holdMeter = (level: TempoLevel): TempoLevel => ({
  ...level,
  track: { ...level.track, meterScores: [level.track.score] },
});

const choose = (...levels: TempoLevel[]) => chooseTempo(levels, METERS, DURATION_SECONDS, 'learned');
const makeStyle = (hipHop: number) => ({ hipHop, blues: 0, country: 0, metal: 0, happy: 0 });

function logOdds({ alternatives }: TempoChoice, bpm: number, otherBpm: number): number {
  const [weight, other] = [bpm, otherBpm].map(
    (wanted) => alternatives.find((level) => level.bpm === wanted)!.weight,
  );
  return Math.log(weight! / other!);
}

describe('chooseTempo', () => {
  it('takes the faster of two levels when its extra beats are as clear as the others', () => {
    expect(choose(makeLevel(60, 3.4), makeLevel(120, 3.3))!.level.bpm).toBe(120);
  });

  it('takes the slower of two levels when the extra beats are faint', () => {
    expect(choose(makeLevel(70, 3.4), makeLevel(140, 1.8))!.level.bpm).toBe(70);
  });

  it('takes the slower of two levels when bars of two fit it better than bars of four', () => {
    const fast = makeLevel(136, 3);
    expect(choose(makeLevel(68, 3.2, { inTwos: 0.8 }), fast)!.level.bpm).toBe(136);
    expect(choose(makeLevel(68, 3.2, { inTwos: 1.2 }), fast)!.level.bpm).toBe(68);
  });

  it('follows the style when the beats do not decide the level, unless the style is near the mean', () => {
    const levels = [makeLevel(82, 3.2), makeLevel(164, 2.5)];
    const styled = (hipHop: number) =>
      chooseTempo(levels, METERS, DURATION_SECONDS, 'learned', makeStyle(hipHop))!;
    expect(styled(2.5).level.bpm).toBe(82);
    expect(styled(-2.5).level.bpm).toBe(164);
    expect(styled(0.4).alternatives).toEqual(choose(...levels)!.alternatives);
  });

  it('takes 244 rather than 122 BPM only in a style that is counted fast', () => {
    const levels = [makeLevel(122, 2.98), makeLevel(244, 2.55)];
    const styled = (hipHop: number) =>
      chooseTempo(levels, METERS, DURATION_SECONDS, 'learned', makeStyle(hipHop))!;
    expect(choose(...levels)!.level.bpm).toBe(122);
    expect(styled(0).level.bpm).toBe(122);
    expect(styled(-1).level.bpm).toBe(244);
  });

  it('prefers a common tempo among levels of equal evidence', () => {
    expect(choose(makeLevel(44, 1.2), makeLevel(88, 1.2), makeLevel(176, 1.2))!.level.bpm).toBe(88);
  });

  it('lists all levels with shares that add up to one, the heaviest first', () => {
    const { alternatives, level, levelWeight } = choose(
      makeLevel(90, 3),
      makeLevel(45, 2),
      makeLevel(180, 2.5),
    )!;
    expect(alternatives.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
    expect(alternatives[0]).toEqual({ bpm: level.bpm, weight: levelWeight });
    expect(alternatives.map(({ weight }) => weight)).toEqual(
      alternatives.map(({ weight }) => weight).sort((a, b) => b - a),
    );
  });

  it('takes the meter with the most evidence', () => {
    const choice = choose(makeLevel(100, 3))!;
    expect(choice).toMatchObject({ beatsPerBar: 4 });
    expect(choice.meterWeight).toBeGreaterThan(0.99);
    const waltz = makeLevel(100, 3, { inThrees: 1.3 });
    expect(choose(waltz)).toMatchObject({ beatsPerBar: 3 });
  });

  it('compares levels in a hinted meter, where bars of two and four are not tracked', () => {
    const held = [makeLevel(70, 3.2), makeLevel(140, 1.2)].map(holdMeter);
    expect(chooseTempo(held, [5], DURATION_SECONDS, 'learned')).toMatchObject({
      beatsPerBar: 5,
      meterWeight: 1,
      level: { bpm: 70 },
    });
  });

  it.each([
    ['learned', { evidence: 0.18 * 4.2, clarity: 0.9, tempo: 5.15 }],
    ['classical', { evidence: 0.28 * 3.2, clarity: 1.67, tempo: 7.2 }],
  ] as const)('weighs evidence, clarity and tempo as fitted: %s', (source, weights) => {
    // In a single meter, with the centre of the tempi and its double.
    const levels = [makeLevel(95, 3), makeLevel(190, 2)].map(holdMeter);
    const choice = chooseTempo(levels, [4], DURATION_SECONDS, source)!;
    const perSecond = levels.map(({ track }) => track.score / DURATION_SECONDS) as [number, number];
    expect(logOdds(choice, 95, 190)).toBeCloseTo(
      weights.evidence * (perSecond[0] - perSecond[1]) +
        weights.clarity * (3 - 2) +
        weights.tempo * Math.LN2 ** 2,
      9,
    );
  });

  it.each([
    [
      'learned',
      { evidence: 0.18, perSecond: 4.2, costs: [3.2, 1.1, 0], twos: 6.4, tempo: 5.15, hipHop: -0.9 },
    ],
    [
      'classical',
      { evidence: 0.28, perSecond: 3.2, costs: [2.2, 2.4, 0], twos: 4.6, tempo: 7.2, hipHop: -1.35 },
    ],
  ] as const)('weighs all meters, bars of two and style as fitted: %s', (source, weights) => {
    const levels = [makeLevel(95, 3, { inTwos: 0.9 }), makeLevel(142.5, 3, { inTwos: 0.7 })] as const;
    // Half a spread of 1.5 does not count.
    const choice = chooseTempo(levels, METERS, DURATION_SECONDS, source, makeStyle(1.5))!;
    const [slow, fast] = levels.map(({ track }) =>
      Math.log(
        track.meterScores.reduce(
          (sum, score, meter) =>
            sum + Math.exp((weights.perSecond * score) / DURATION_SECONDS - weights.costs[meter]!),
          0,
        ),
      ),
    ) as [number, number];
    expect(logOdds(choice, 95, 142.5)).toBeCloseTo(
      weights.evidence * (slow - fast) +
        weights.twos * (0.9 - 0.7) +
        weights.tempo * Math.log(1.5) ** 2 -
        weights.hipHop * 1 * Math.log(1.5),
      9,
    );
  });

  it('counts beats clearer than a clear beat as clear ones', () => {
    // In a single meter, at equal distances from the centre. Clear beats score 3.5.
    const levels = [makeLevel(95 / 1.25, 6), makeLevel(95 * 1.25, 4)].map(holdMeter);
    const perSecond = levels.map(({ track }) => track.score / DURATION_SECONDS) as [number, number];
    expect(logOdds(chooseTempo(levels, [4], DURATION_SECONDS, 'learned')!, 95 / 1.25, 95 * 1.25)).toBeCloseTo(
      0.18 * 4.2 * (perSecond[0] - perSecond[1]),
      9,
    );
  });

  it.each([
    ['half the centre', 1 / 2, 1 / 4, 0, 0],
    ['2.35 times the centre', 2.35, 2.8, 0, 0],
    ['twice the centre in a style that is counted fast', 2, 2.8, -1, -0.5],
    ['2.35 times the centre in a style near the mean', 2.35, 2.8, -0.4, 0],
  ])('costs no more beyond %s', (_, limitRatio, beyondRatio, hipHop, uncommonSpreads) => {
    // Scores of zero keep the evidence and the clarity equal.
    const levels = [1, limitRatio, beyondRatio].map((ratio) => makeLevel(95 * ratio, 0));
    const choice = chooseTempo(levels, METERS, DURATION_SECONDS, 'learned', makeStyle(hipHop))!;
    const cost = 5.15 * Math.log(limitRatio) ** 2 + 0.9 * uncommonSpreads * Math.log(limitRatio);
    for (const ratio of [limitRatio, beyondRatio]) {
      expect(logOdds(choice, 95, 95 * ratio)).toBeCloseTo(cost, 9);
    }
  });

  it('is null without levels', () => {
    expect(choose()).toBeNull();
  });
});

describe('chooseMeter', () => {
  it.each([
    ['learned', [3.2, 1.1, 0, 5, 7, 7]],
    ['classical', [2.2, 2.4, 0, 8, 8.5, 8.5]],
  ] as const)('costs of bars of 2 to 7 decide between equal scores: %s', (source, costs) => {
    const { beatsPerBar, meterWeight } = chooseMeter(
      [2, 3, 4, 5, 6, 7],
      Array(6).fill(50),
      DURATION_SECONDS,
      source,
    );
    expect(beatsPerBar).toBe(4);
    expect(meterWeight).toBeCloseTo(1 / costs.reduce<number>((sum, cost) => sum + Math.exp(-cost), 0), 12);
  });

  it('weighs the difference of scores per second against the costs', () => {
    // One per second more for bars of three: log odds of 4.2 - 1.1.
    const { beatsPerBar, meterWeight } = chooseMeter([4, 3], [100, 200], DURATION_SECONDS, 'learned');
    expect(beatsPerBar).toBe(3);
    expect(meterWeight).toBeCloseTo(1 / (1 + Math.exp(-3.1)), 12);
  });
});
