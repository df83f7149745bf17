/**
 * At which of the tempo levels do people tap?
 *
 * Every level gets a utility, and the softmax of the utilities is the share of each level (a conditional logit: McFadden, "Conditional
 * logit analysis of qualitative choice behavior", 1974). The utility is the sum of
 *   - evidence: the score of the level's tracks per second of audio, over all meters. It does not grow with the length of the song, because
 *     the beats of one song are alike: a thousand of them are not a thousand independent observations;
 *   - clarity: the mean score of the level's beats, up to that of a clear beat. It decides between half and double tempo: the extra beats
 *     of the faster level count only if they are about as clear as the others;
 *   - twos: how much better bars of two fit than bars of four. They fit better at the slower of two levels, whose beats are the first and
 *     third of the bars that the network reports, and which the evidence alone chooses too rarely;
 *   - tempo: people tap near a hundred per minute, rarely at half or double that (Moelants, "Preferred tempo reconsidered", ICMPC 2002). In
 *     styles that are counted fast, tempi more than an octave above the centre cost no more than an octave: all 14 recordings of such
 *     styles that get 200 BPM or more are that fast. In other styles the cost grows up to 223 BPM, so that a bare kick with eighths in the
 *     bass is not counted in eighths;
 *   - style: hip-hop is counted slowly, and the styles least like it (country, jazz, swing) fast. The tagger's other tags do not help.
 *
 * The meter is chosen within the level: four is common, three less so, the others rare. Bars of two cost extra, since a slow song in four
 * whose beats alternate looks like them.
 *
 * The weights were fitted on recordings and the dev corpus together (docs/algorithms.md has the recipe).
 */

import type { WeightedTempo } from '../result.ts';
import type { Style } from '../tags/style.ts';
import type { BeatActivation } from './beat-activation.ts';
import { PLAIN_SCORE } from './confidence.ts';
import type { TempoLevel } from './tempo-levels.ts';

type MeterChoice = {
  beatsPerBar: number;
  /** Softmax share of the meter within its level. */
  meterWeight: number;
};

export type TempoChoice = MeterChoice & {
  level: TempoLevel;
  /** Softmax share of the level. */
  levelWeight: number;
  /** Every level with its share, the heaviest first. */
  alternatives: WeightedTempo[];
};

type ChoiceWeights = {
  /** Of the log-sum-exp of the meters' utilities. */
  evidence: number;
  /** Of the mean score of a beat. */
  clarity: number;
  /** Of the score that bars of two gain over bars of four, as a share of the track's score. */
  twos: number;
  /** Of the squared log ratio of the tempo to the centre, limited by `FARTHEST_LOG_RATIO`. */
  tempo: number;
  /** Of the product of that log ratio and how far the style is hip-hop. */
  hipHop: number;
};

type MeterWeights = {
  /** Of the score per second. */
  evidence: number;
  /** By beats in a bar. */
  costs: Readonly<Record<number, number>>;
};

const CHOICE_WEIGHTS: Record<BeatActivation['source'], ChoiceWeights> = {
  learned: { evidence: 0.18, clarity: 0.9, twos: 6.4, tempo: 5.15, hipHop: -0.9 },
  // Onsets say less about the level than the network, so the tempo itself weighs more.
  classical: { evidence: 0.28, clarity: 1.67, twos: 4.6, tempo: 7.2, hipHop: -1.35 },
};
const METER_WEIGHTS: Record<BeatActivation['source'], MeterWeights> = {
  learned: { evidence: 4.2, costs: { 2: 3.2, 3: 1.1, 4: 0, 5: 5, 6: 7, 7: 7 } },
  classical: { evidence: 3.2, costs: { 2: 2.2, 3: 2.4, 4: 0, 5: 8, 6: 8.5, 7: 8.5 } },
};
export const TEMPO_CENTRE_BPM = 95;
/** Limits of the distance from the centre. */
const FARTHEST_LOG_RATIO = { slow: -Math.LN2, fast: Math.log(2.35), fastInFastStyles: Math.LN2 };
/** A style this close to the mean of recordings does not count: rendered pop is there, and is tapped at any level. */
const COMMON_STYLE_SPREADS = 0.5;

/** `meters` are those of the levels' `meterScores`. Null without levels. */
export function chooseTempo(
  levels: readonly TempoLevel[],
  meters: readonly number[],
  durationSeconds: number,
  source: BeatActivation['source'],
  style: Style | null = null,
): TempoChoice | null {
  const utilities = levels.map((level) => weighLevel(level, meters, durationSeconds, source, style));
  const highest = Math.max(...utilities);
  const odds = utilities.map((utility) => Math.exp(utility - highest));
  const total = sum(odds);
  const best = odds.indexOf(1);
  const level = levels[best];
  if (level === undefined) return null;
  return {
    level,
    levelWeight: 1 / total,
    ...chooseMeter(meters, level.track.meterScores, durationSeconds, source),
    alternatives: levels
      .map(({ bpm }, index) => ({ bpm, weight: odds[index]! / total }))
      .sort((a, b) => b.weight - a.weight),
  };
}

function weighLevel(
  { bpm, track }: TempoLevel,
  meters: readonly number[],
  durationSeconds: number,
  source: BeatActivation['source'],
  style: Style | null,
): number {
  const weigh = CHOICE_WEIGHTS[source];
  const [twos, fours] = [2, 4].map((beatsPerBar) => track.meterScores[meters.indexOf(beatsPerBar)]);
  // A hinted meter leaves nothing to compare.
  const alternation =
    twos === undefined || fours === undefined ? 0 : (twos - fours) / Math.max(1, track.score);
  const hipHop = style?.hipHop ?? 0;
  const uncommonSpreads = Math.sign(hipHop) * Math.max(0, Math.abs(hipHop) - COMMON_STYLE_SPREADS);
  const farthestLogRatio =
    uncommonSpreads < 0 ? FARTHEST_LOG_RATIO.fastInFastStyles : FARTHEST_LOG_RATIO.fast;
  const distanceLogRatio = Math.max(
    FARTHEST_LOG_RATIO.slow,
    Math.min(farthestLogRatio, Math.log(bpm / TEMPO_CENTRE_BPM)),
  );
  return (
    weigh.evidence * logSumExp(rankMeters(meters, track.meterScores, durationSeconds, source)) +
    weigh.clarity * Math.min(track.score / Math.max(1, track.beats.length), PLAIN_SCORE) +
    weigh.twos * alternation -
    weigh.tempo * distanceLogRatio ** 2 +
    weigh.hipHop * uncommonSpreads * distanceLogRatio
  );
}

/** `meterScores` are the scores at one level of the tracks that keep to each of `meters`. */
export function chooseMeter(
  meters: readonly number[],
  meterScores: readonly number[],
  durationSeconds: number,
  source: BeatActivation['source'],
): MeterChoice {
  const utilities = rankMeters(meters, meterScores, durationSeconds, source);
  const highest = Math.max(...utilities);
  return {
    beatsPerBar: meters[utilities.indexOf(highest)]!,
    meterWeight: Math.exp(highest - logSumExp(utilities)),
  };
}

function rankMeters(
  meters: readonly number[],
  meterScores: readonly number[],
  durationSeconds: number,
  source: BeatActivation['source'],
): number[] {
  const { evidence, costs } = METER_WEIGHTS[source];
  return meters.map((beatsPerBar, index) => {
    const scorePerSecond = meterScores[index]! / durationSeconds;
    // A meter without a cost was hinted and is the only one, so its cost would make no difference.
    return evidence * scorePerSecond - (costs[beatsPerBar] ?? 0);
  });
}

function logSumExp(values: readonly number[]): number {
  const highest = Math.max(...values);
  return highest + Math.log(sum(values.map((value) => Math.exp(value - highest))));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
