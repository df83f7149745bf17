/**
 * Which of the tempi one could tap is the one people do?
 *
 * Every pair of a tempo level and a meter gets a utility, and the softmax over them is the answer with its doubts:
 *   - evidence: the score of its track per second of audio. Per second, because the beats of one song are heard alike: a thousand of them do not
 *     make a thousand witnesses;
 *   - cost of a beat: what each beat must bring to be worth tapping. It settles half against double: the extra beats of the faster level
 *     count for it only if they are heard about as well as the network hears a beat it half believes in;
 *   - tempo: people tap near two beats a second, rarely at half or double that (Moelants, "Preferred tempo reconsidered", ICMPC 2002), and
 *     hardly ever faster than metronomes are marked;
 *   - meter: four is common, three less so, the others rare. A slow song whose beats alternate looks like bars of two; it is one of four.
 *
 * The weights were fitted by maximum likelihood on composed music and the dev corpus (docs/algorithms.md has the recipe).
 */

import type { WeightedTempo } from '../result.ts';
import type { BeatActivation } from './beat-activation.ts';
import type { TempoLevel } from './tempo-levels.ts';

export type MeterChoice = {
  beatsPerBar: number;
  /** Softmax share of the meter within its level. */
  meterWeight: number;
};

export type TempoChoice = MeterChoice & {
  level: TempoLevel;
  /** Softmax share of the level, all meters together. */
  levelWeight: number;
  /** Every level, the heaviest first; weights add up to 1 and are nearer to the chance of being right than the shares are. */
  alternatives: WeightedTempo[];
};

type ChoiceWeights = {
  evidence: number;
  /** Log likelihood ratio, see beat-activation.ts. */
  beatCost: number;
  /** Of the squared logarithm of tempo over centre. */
  tempo: number;
  /** Beats in a bar → cost. */
  meters: Readonly<Record<number, number>>;
  /** Power that turns a share into a weight; see `weighLevels`. */
  trust: number;
};

const CHOICE_WEIGHTS: Record<BeatActivation['source'], ChoiceWeights> = {
  learned: {
    evidence: 4.2,
    beatCost: 2.2,
    tempo: 1,
    meters: { 2: 3.2, 3: 1.1, 4: 0, 5: 5, 6: 7, 7: 7 },
    trust: 0.33,
  },
  // Onsets say less about the level than the network does, so the common tempi have to say more.
  classical: {
    evidence: 3.2,
    beatCost: 1.2,
    tempo: 12.4,
    meters: { 2: 2.2, 3: 2.4, 4: 0, 5: 8, 6: 8.5, 7: 8.5 },
    trust: 0.5,
  },
};
const TEMPO_CENTRE_BPM = 100;
/** Metronomes end at 208. No piece of the composed or recorded sets that was heard faster than 215 had such a tempo: all were taken twice. */
const FASTEST_COMMON_BPM = 200;
/** Of the logarithm of a tempo over the fastest common one: a beat that is as plain as can be outweighs it. */
const FAST_COST = 30;
/** Of a meter that only a hint can ask for. */
const OTHER_METER_COST = 6;

export function chooseTempo(
  levels: readonly TempoLevel[],
  meters: readonly number[],
  durationSeconds: number,
  source: BeatActivation['source'],
): TempoChoice | null {
  const weigh = CHOICE_WEIGHTS[source];
  const utilities = levels.map(({ bpm, track }) => {
    const beatCost = (weigh.evidence * weigh.beatCost * bpm) / 60;
    const tempoCost =
      weigh.tempo * Math.log(bpm / TEMPO_CENTRE_BPM) ** 2 +
      FAST_COST * Math.max(0, Math.log(bpm / FASTEST_COMMON_BPM));
    return rankMeters(meters, track.meterScores, durationSeconds, source).map(
      (utility) => utility - beatCost - tempoCost,
    );
  });
  const highest = Math.max(...utilities.flat());
  const shares = utilities.map((row) => sum(row.map((utility) => Math.exp(utility - highest))));
  const total = sum(shares);
  const best = shares.indexOf(Math.max(...shares));
  const level = levels[best];
  if (level === undefined) return null;
  return {
    level,
    levelWeight: shares[best]! / total,
    ...chooseMeter(meters, level.track.meterScores, durationSeconds, source),
    alternatives: weighLevels(levels, shares, weigh.trust),
  };
}

/**
 * Shares lean on evidence that is heard again and again and is worth less than it counts: where the odds of a level were a thousand to
 * one, ten to one would have been right. Regression of right and wrong on the logarithm of the odds has a slope of a third with the
 * network and a half without; as a power it tempers the shares without changing their order.
 */
function weighLevels(
  levels: readonly TempoLevel[],
  shares: readonly number[],
  trust: number,
): WeightedTempo[] {
  const tempered = shares.map((share) => share ** trust);
  const total = sum(tempered);
  return levels
    .map(({ bpm }, index) => ({ bpm, weight: tempered[index]! / total }))
    .sort((a, b) => b.weight - a.weight);
}

/** `meterScores` are those of the tracks at one level that each hold to one of `meters`. */
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
    meterWeight: 1 / sum(utilities.map((utility) => Math.exp(utility - highest))),
  };
}

function rankMeters(
  meters: readonly number[],
  meterScores: readonly number[],
  durationSeconds: number,
  source: BeatActivation['source'],
): number[] {
  const weigh = CHOICE_WEIGHTS[source];
  return meters.map((beatsPerBar, index) => {
    const evidence = meterScores[index]! / durationSeconds;
    return weigh.evidence * evidence - (weigh.meters[beatsPerBar] ?? OTHER_METER_COST);
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
