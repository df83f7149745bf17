/** How well one song mixes into the next, by key, tempo and energy, as a DJ judges it. */

export type MixSong = { bpm: number | null; camelot: string | null; energy: number | null };

/** Two songs can be mixed at the same tempo, or with one at half or double the tempo of the other. */
export const TEMPO_LEVELS = [1, 0.5, 2];

export type KeyRelation =
  | 'same'
  | 'relative'
  | 'fifth_up'
  | 'fifth_down'
  | 'two_fifths_up'
  | 'two_fifths_down'
  | 'semitone_up'
  | 'semitone_down'
  | 'far';

export type Mix = {
  /** Null when one of the two has no key. */
  keyRelation: KeyRelation | null;
  /** Speed change that brings the second song to the first song's tempo times `tempoLevel`; null if either has no tempo. */
  tempoShiftPercent: number | null;
  tempoLevel: number | null;
  /** Null if either has no energy. */
  energyStep: number | null;
};

/** The Camelot wheel arranges keys in fifths: twelve hours, each with a minor (A) and a major (B) key. */
const HOURS = 12;

/** Numbers as of wheelNumberOf: the key itself, a fifth down, a fifth up and the relative key. */
export function compatibleNumbers(keyNumber: number): number[] {
  const [hour, mode] = [Math.floor(keyNumber / 2), keyNumber % 2];
  const numberAt = (hour: number, mode: number) => ((hour + HOURS) % HOURS) * 2 + mode;
  return [keyNumber, numberAt(hour - 1, mode), numberAt(hour + 1, mode), numberAt(hour, 1 - mode)];
}

export function mixOf(first: MixSong, second: MixSong): Mix {
  const tempo = tempoShift(first.bpm, second.bpm);
  return {
    keyRelation: keyRelation(first.camelot, second.camelot),
    tempoShiftPercent: tempo?.percent ?? null,
    tempoLevel: tempo?.level ?? null,
    energyStep:
      first.energy === null || second.energy === null ? null : round(second.energy - first.energy, 1_000),
  };
}

/** One hour clockwise is a fifth up; seven are a semitone up. */
export function keyRelation(first: string | null, second: string | null): KeyRelation | null {
  if (first === null || second === null) return null;
  const [a, b] = [readCamelot(first), readCamelot(second)];
  const hours = (((b.hour - a.hour) % HOURS) + HOURS) % HOURS;
  if (a.letter !== b.letter) return hours === 0 ? 'relative' : 'far';
  return RELATION_BY_HOURS[hours] ?? 'far';
}

const RELATION_BY_HOURS: Readonly<Record<number, KeyRelation>> = {
  0: 'same',
  1: 'fifth_up',
  11: 'fifth_down',
  2: 'two_fifths_up',
  10: 'two_fifths_down',
  7: 'semitone_up',
  5: 'semitone_down',
};

export function tempoShift(
  firstBpm: number | null,
  secondBpm: number | null,
): { percent: number; level: number } | null {
  if (!firstBpm || !secondBpm) return null;
  const level = nearestLevel(firstBpm / secondBpm);
  return { percent: shiftPercent((firstBpm / secondBpm) * level), level };
}

function nearestLevel(ratio: number): number {
  let nearest = 1;
  for (const level of TEMPO_LEVELS) {
    if (Math.abs(ratio * level - 1) < Math.abs(ratio * nearest - 1)) nearest = level;
  }
  return nearest;
}

function shiftPercent(ratio: number): number {
  return round((ratio - 1) * 100, 100);
}

/**
 * 0 to 1, by musical judgement rather than measurement: what harmonic mixing guides call compatible scores 0.9 or more, steps for effect
 * (two fifths, a semitone) at most half of the full score, and any other key least.
 */
const KEY_SCORES: Record<KeyRelation, number> = {
  same: 1,
  relative: 0.9,
  fifth_up: 0.9,
  fifth_down: 0.9,
  two_fifths_up: 0.5,
  two_fifths_down: 0.4,
  semitone_up: 0.4,
  semitone_down: 0.2,
  far: 0.1,
};
/** For an unknown key, tempo or energy: above a clash, below a match. */
const UNKNOWN_SCORE = 0.3;
/** The range of a turntable's pitch fader. */
export const TEMPO_SHIFT_PERCENT_MAX = 8;
/** Energy runs from 0 to 1; a step of half the range scores zero. A judgement, like the weights. */
const ENERGY_STEP_MAX = 0.5;
const WEIGHTS = { key: 0.5, tempo: 0.35, energy: 0.15 };

export function scoreOf({ keyRelation: relation, tempoShiftPercent, energyStep }: Mix): number {
  return weigh(
    keyScoreOf(relation),
    tempoShiftPercent === null ? UNKNOWN_SCORE : tempoScoreOf(tempoShiftPercent),
    energyStep === null ? UNKNOWN_SCORE : energyScoreOf(energyStep),
  );
}

/** The score of two songs of a list, by their indices, but at least `floor`. */
export type PairScore = (first: number, second: number, floor?: number) => number;

/**
 * `scoreOf(mixOf(first, second))`, fast enough for the millions of pairs compared to order a large collection. A caller looking for the
 * best pair passes the best score so far as `floor`: for most pairs the keys alone show that they cannot exceed it.
 */
export function createPairScore(songs: readonly MixSong[]): PairScore {
  const keys = [...new Set(songs.map(({ camelot }) => camelot))];
  const keyScores = keys.map((first) => keys.map((second) => keyScoreOf(keyRelation(first, second))));
  const scoresMax = keyScores.map((row) => row.map((keyScore) => weigh(keyScore, 1, 1)));
  const indexOfKey = new Map(keys.map((key, index) => [key, index]));
  const keyOf = songs.map(({ camelot }) => indexOfKey.get(camelot)!);
  // NaN stands for unknown in the typed arrays.
  const bpmOf = Float64Array.from(songs, ({ bpm }) => bpm || Number.NaN);
  const energyOf = Float64Array.from(songs, ({ energy }) => energy ?? Number.NaN);
  return (first, second, floor = Number.NEGATIVE_INFINITY) => {
    const [from, to] = [keyOf[first]!, keyOf[second]!];
    if (scoresMax[from]![to]! <= floor) return floor;
    const ratio = bpmOf[first]! / bpmOf[second]!;
    const tempo = Number.isNaN(ratio)
      ? UNKNOWN_SCORE
      : tempoScoreOf(shiftPercent(ratio * nearestLevel(ratio)));
    const step = energyOf[second]! - energyOf[first]!;
    const energy = Number.isNaN(step) ? UNKNOWN_SCORE : energyScoreOf(round(step, 1_000));
    return Math.max(floor, weigh(keyScores[from]![to]!, tempo, energy));
  };
}

function keyScoreOf(relation: KeyRelation | null): number {
  return relation === null ? UNKNOWN_SCORE : KEY_SCORES[relation];
}

function tempoScoreOf(shiftPercent: number): number {
  return Math.max(0, 1 - Math.abs(shiftPercent) / TEMPO_SHIFT_PERCENT_MAX);
}

function energyScoreOf(step: number): number {
  return Math.max(0, 1 - Math.abs(step) / ENERGY_STEP_MAX);
}

function weigh(keyScore: number, tempoScore: number, energyScore: number): number {
  return round(WEIGHTS.key * keyScore + WEIGHTS.tempo * tempoScore + WEIGHTS.energy * energyScore, 10_000);
}

const KEY_WORDS: Record<KeyRelation, string> = {
  same: 'the same key',
  relative: 'its relative',
  fifth_up: 'a fifth higher',
  fifth_down: 'a fifth lower',
  two_fifths_up: 'two fifths higher',
  two_fifths_down: 'two fifths lower',
  semitone_up: 'a semitone higher',
  semitone_down: 'a semitone lower',
  far: 'a far key',
};

/** "8A to 9A, a fifth higher; 124.0 to 126.0 BPM, slowed by 1.6 %; energy up by 0.05" */
export function explainMix(first: MixSong, second: MixSong, mix: Mix): string {
  const key =
    mix.keyRelation === null
      ? 'no key to compare'
      : `${first.camelot} to ${second.camelot}, ${KEY_WORDS[mix.keyRelation]}`;
  return [key, tempoWords(first, second, mix), energyWords(mix.energyStep)].join('; ');
}

function tempoWords(first: MixSong, second: MixSong, { tempoShiftPercent: shift, tempoLevel }: Mix): string {
  if (shift === null || first.bpm === null || second.bpm === null) return 'no tempo to compare';
  const level = tempoLevel === 2 ? ' against its double' : tempoLevel === 0.5 ? ' against its half' : '';
  const change =
    Math.abs(shift) < 0.05
      ? 'as it is'
      : `${shift > 0 ? 'sped up' : 'slowed'} by ${Math.abs(shift).toFixed(1)} %`;
  return `${first.bpm.toFixed(1)} to ${second.bpm.toFixed(1)} BPM${level}, ${change}`;
}

function energyWords(step: number | null): string {
  if (step === null) return 'no energy to compare';
  if (Math.abs(step) < 0.005) return 'the same energy';
  return `energy ${step > 0 ? 'up' : 'down'} by ${Math.abs(step).toFixed(2)}`;
}

function readCamelot(text: string): { hour: number; letter: string } {
  return { hour: Number.parseInt(text, 10), letter: text.slice(-1) };
}

/** To the nearest multiple of 1 / `factor`. */
function round(value: number, factor: number): number {
  return Math.round(value * factor) / factor;
}
