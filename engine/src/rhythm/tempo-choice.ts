/**
 * Which of the tempi one could tap is the one people do?
 *
 * Every pair of a tempo level and a meter gets a utility, and the softmax over them is the answer with its doubts:
 *   - evidence: the score of its track per second of audio. Per second, because the beats of one song are heard alike: a thousand of them do not
 *     make a thousand witnesses;
 *   - cost of a beat: what each beat must bring to be worth tapping. It settles half against double: the extra beats of the faster level
 *     count for it only if they are heard about as well as the network hears a beat it half believes in;
 *   - tempo: people tap near two beats a second, rarely at half or double that (Moelants, "Preferred tempo reconsidered", ICMPC 2002);
 *   - meter: four is common, three less so, the others rare. A slow song whose beats alternate looks like bars of two; it is one of four.
 *
 * The weights were fitted by maximum likelihood on composed music and the dev corpus (docs/algorithms.md has the recipe).
 */

import type { WeightedTempo } from '../result.ts';
import type { BeatActivation } from './beat-activation.ts';
import type { TempoLevel } from './tempo-levels.ts';

export type TempoChoice = {
  level: TempoLevel;
  beatsPerBar: number;
  /** Softmax share of the level, all meters together. */
  levelWeight: number;
  /** Share of the meter within the level. */
  meterWeight: number;
  /** Every level, the heaviest first; weights add up to 1. */
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
};

const CHOICE_WEIGHTS: Record<BeatActivation['source'], ChoiceWeights> = {
  learned: {
    evidence: 3.5,
    beatCost: 2.2,
    tempo: 1.3,
    meters: { 2: 3.2, 3: 1.6, 4: 0, 5: 6.4, 6: 7.2, 7: 6.5 },
  },
  // Onsets say less about the level than the network does, so the common tempi have to say more.
  classical: {
    evidence: 2.5,
    beatCost: 0.94,
    tempo: 12.4,
    meters: { 2: 2.2, 3: 2.4, 4: 0, 5: 8, 6: 8.5, 7: 8.5 },
  },
};
const TEMPO_CENTRE_BPM = 100;
/** Of a meter that only a hint can ask for. */
const OTHER_METER_COST = 6;

export function chooseTempo(
  levels: readonly TempoLevel[],
  meters: readonly number[],
  durationSeconds: number,
  source: BeatActivation['source'],
): TempoChoice | null {
  const weigh = CHOICE_WEIGHTS[source];
  const utilities = levels.map((level) =>
    meters.map((beatsPerBar, index) => {
      const evidence = level.track.meterScores[index]! / durationSeconds - (weigh.beatCost * level.bpm) / 60;
      const distance = Math.log(level.bpm / TEMPO_CENTRE_BPM);
      const meterCost = weigh.meters[beatsPerBar] ?? OTHER_METER_COST;
      return weigh.evidence * evidence - weigh.tempo * distance ** 2 - meterCost;
    }),
  );
  const highest = Math.max(...utilities.flat());
  const weights = utilities.map((row) => row.map((utility) => Math.exp(utility - highest)));
  const total = sum(weights.flat());
  const shares = weights.map((row) => sum(row) / total);
  const best = shares.indexOf(Math.max(...shares));
  const level = levels[best];
  const meterRow = weights[best];
  if (level === undefined || meterRow === undefined) return null;
  const heaviest = Math.max(...meterRow);
  return {
    level,
    beatsPerBar: meters[meterRow.indexOf(heaviest)]!,
    levelWeight: shares[best]!,
    meterWeight: heaviest / sum(meterRow),
    alternatives: levels
      .map(({ bpm }, index) => ({ bpm, weight: shares[index]! }))
      .sort((a, b) => b.weight - a.weight),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
