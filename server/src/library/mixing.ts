/** How two songs go together: what a DJ asks before putting one after the other. */

export type MixSong = { bpm: number | null; camelot: string | null; energy: number | null };

/** What a song's tempo may be taken for: itself, its half and its double. */
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
  /** What brings the second to the tempo of the first, or to its half or double; null without both tempi. */
  tempoShiftPercent: number | null;
  /** Of the first to which the second is brought: 1, 0.5 or 2. */
  tempoLevel: number | null;
  energyStep: number | null;
};

/** Of the Camelot wheel: a key is one of twelve hours and a mode. */
const HOURS = 12;

/** Of a key by its number (wheelNumberOf): itself, a fifth either way and its relative. */
export function compatibleNumbers(keyNumber: number): number[] {
  const [hour, mode] = [Math.floor(keyNumber / 2), keyNumber % 2];
  const at = (turned: number, letter: number) => ((turned + HOURS) % HOURS) * 2 + letter;
  return [keyNumber, at(hour - 1, mode), at(hour + 1, mode), at(hour, 1 - mode)];
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

/** One hour round the wheel is a fifth; seven hours, the long way round, are a semitone. */
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

/** How well each relation sounds, 0 to 1. Chosen: what DJs' wheels call compatible is above 0.8, the rest in the order of fifths. */
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
/** Chosen: nobody knows that it fits, and nobody that it does not. */
const UNKNOWN_SCORE = 0.3;
/** As far as the pitch fader of a turntable goes; beyond it a song sounds pulled. */
export const TEMPO_SHIFT_PERCENT_MAX = 8;
/** Of 0 to 1. Chosen: half of all there is is another kind of song. */
const ENERGY_STEP_MAX = 0.5;
/** Chosen: the key decides most, then how far the tempo is pulled. */
const WEIGHTS = { key: 0.5, tempo: 0.35, energy: 0.15 };

export function scoreOf({ keyRelation: relation, tempoShiftPercent, energyStep }: Mix): number {
  return weigh(
    keyScoreOf(relation),
    tempoShiftPercent === null ? UNKNOWN_SCORE : tempoScoreOf(tempoShiftPercent),
    energyStep === null ? UNKNOWN_SCORE : energyScoreOf(energyStep),
  );
}

/** The score of two songs of one list, by their places; or `above`, when it is not above that. */
export type Scores = (first: number, second: number, above?: number) => number;

/**
 * `scoreOf(mixOf(first, second))` for the millions of pairs that the order of a large collection compares: most of them fit less than one
 * that was found before, and their keys are enough to know it.
 */
export function createScores(songs: readonly MixSong[]): Scores {
  const keys = [...new Set(songs.map(({ camelot }) => camelot))];
  const keyScores = keys.map((first) => keys.map((second) => keyScoreOf(keyRelation(first, second))));
  const most = keyScores.map((row) => row.map((key) => weigh(key, 1, 1)));
  const placeOfKey = new Map(keys.map((key, place) => [key, place]));
  const keyOf = songs.map(({ camelot }) => placeOfKey.get(camelot)!);
  // NaN: unknown.
  const bpmOf = Float64Array.from(songs, ({ bpm }) => bpm || Number.NaN);
  const energyOf = Float64Array.from(songs, ({ energy }) => energy ?? Number.NaN);
  return (first, second, above = Number.NEGATIVE_INFINITY) => {
    const [from, to] = [keyOf[first]!, keyOf[second]!];
    if (most[from]![to]! <= above) return above;
    const ratio = bpmOf[first]! / bpmOf[second]!;
    const tempo = Number.isNaN(ratio)
      ? UNKNOWN_SCORE
      : tempoScoreOf(shiftPercent(ratio * nearestLevel(ratio)));
    const step = energyOf[second]! - energyOf[first]!;
    const energy = Number.isNaN(step) ? UNKNOWN_SCORE : energyScoreOf(round(step, 1_000));
    return Math.max(above, weigh(keyScores[from]![to]!, tempo, energy));
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

function weigh(key: number, tempo: number, energy: number): number {
  return round(WEIGHTS.key * key + WEIGHTS.tempo * tempo + WEIGHTS.energy * energy, 10_000);
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

type WheelKey = { hour: number; letter: string };
/** The 24 keys: an order for a large collection compares millions of pairs. */
const WHEEL_KEYS = new Map<string, WheelKey>(
  Array.from({ length: HOURS }, (_, index) => index + 1).flatMap((hour) =>
    ['A', 'B'].map((letter) => [`${hour}${letter}`, { hour, letter }] as const),
  ),
);

function readCamelot(text: string): WheelKey {
  return WHEEL_KEYS.get(text) ?? { hour: Number.parseInt(text, 10), letter: text.slice(-1) };
}

/** To the nearest multiple of 1 / `factor`. */
function round(value: number, factor: number): number {
  return Math.round(value * factor) / factor;
}
