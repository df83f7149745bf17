/**
 * How energetic, danceable, happy, acoustic, instrumental and spoken is the sound? Six numbers from 0 to 1.
 *
 * Four are weighted means of ramps over measurements of the other groups, so each depends on those alone, monotonically except for tempo; none depends
 * on the gain of the file. They describe the sound, not the listener: docs/result-format.md says what each correlates with, and how weakly.
 * Weights and ramps are set by hand, because no corpus we have contains people's ratings (docs/algorithms.md, Feelings).
 * Instrumentalness and speechiness are measured elsewhere (content/).
 */

import type { Loudness, Rhythm, Summary, Timbre, Tonal, UnavailableReason } from '../result.ts';

export type Descriptors = Pick<
  Summary,
  'energy' | 'danceability' | 'valence' | 'acousticness' | 'instrumentalness' | 'speechiness'
>;

/** The descriptors computed here; content/ gives the reasons for the absence of the others. */
type Computed = Omit<Descriptors, 'instrumentalness' | 'speechiness'>;

export type DescriptorInput = {
  loudness: Loudness;
  timbre: Timbre;
  rhythm: Rhythm | null;
  tonal: Tonal | null;
  speechiness: number | null;
  /** Share of the sounding time without a voice; null when no voice network was run. */
  instrumentalness: number | null;
  /**
   * Why the loudness or the timbre, the tempo, and the key are unknown; null for those that are known, and for tempo and key if no musical group
   * was requested.
   */
  reasons: Record<'sound' | 'rhythm' | 'tonal', UnavailableReason | null>;
};

export function computeDescriptors(input: DescriptorInput): {
  descriptors: Descriptors;
  unavailable: Record<string, UnavailableReason>;
} {
  const descriptors: Descriptors = {
    energy: rateEnergy(input),
    danceability: rateDanceability(input.rhythm),
    valence: rateValence(input),
    acousticness: rateAcousticness(input),
    instrumentalness: input.instrumentalness,
    speechiness: boundSpeechiness(input),
  };
  return { descriptors, unavailable: explainAbsence(descriptors, input) };
}

/** Speech needs a voice: if a voice network was run, speech takes up no more of the time than voices do. */
function boundSpeechiness({
  speechiness,
  instrumentalness,
}: Pick<DescriptorInput, 'speechiness' | 'instrumentalness'>): number | null {
  if (speechiness === null || instrumentalness === null) return speechiness;
  return Math.min(speechiness, 1 - instrumentalness);
}

/** Dense, busy, bright and restless sound is energetic. */
function rateEnergy({ loudness, timbre, rhythm }: DescriptorInput): number | null {
  if (loudness.plrLu === null || timbre.centroidHz === null || timbre.flux === null || rhythm === null)
    return null;
  return weightedSum([
    [0.35, rampDown(loudness.plrLu, 7, 20)],
    [0.25, rampUp(rhythm.onsetRateHz, 0.5, 7)],
    [0.2, rateBrightness(timbre.centroidHz)],
    [0.2, rampUp(timbre.flux, 0.06, 0.22)],
  ]);
}

/** Both set by hand; people prefer to move slightly above 120 BPM (Moelants, "Dance Music, Movement and Tempo Preferences", 2003). */
const PREFERRED_BPM = 118;
const PREFERRED_SPREAD_OCTAVES = 0.5;

/** A clear, steady pulse near the preferred tempo is danceable. */
function rateDanceability(rhythm: Rhythm | null): number | null {
  if (rhythm === null || rhythm.bpm === null || rhythm.stability === null || rhythm.beats.length === 0) {
    return null;
  }
  const pulse = rhythm.beats.reduce((sum, { confidence }) => sum + confidence, 0) / rhythm.beats.length;
  const octavesOff = Math.log2(rhythm.bpm / PREFERRED_BPM);
  return weightedSum([
    [0.4, pulse],
    [0.3, rhythm.stability],
    [0.3, Math.exp(-0.5 * (octavesOff / PREFERRED_SPREAD_OCTAVES) ** 2)],
  ]);
}

/**
 * Major, fast and bright music sounds happy; minor, slow and dark music sad: the cues listeners agree on most (Gabrielsson and Lindström, "The role of
 * structure in the musical expression of emotions", 2010). The mode counts in proportion to the confidence in the key.
 */
function rateValence({ tonal, rhythm, timbre }: DescriptorInput): number | null {
  if (!tonal?.scale || tonal.confidence === null || !rhythm?.bpm || timbre.centroidHz === null) return null;
  const direction = tonal.scale === 'major' ? 1 : -1;
  return weightedSum([
    [0.5, 0.5 + 0.5 * direction * tonal.confidence],
    [0.3, rampUp(Math.log2(rhythm.bpm), Math.log2(60), Math.log2(160))],
    [0.2, rateBrightness(timbre.centroidHz)],
  ]);
}

/** Wide dynamics, tones rather than noise, steady spectra and little below 60 Hz suggest sound that is neither synthesised nor heavily compressed. */
function rateAcousticness({ loudness, timbre }: DescriptorInput): number | null {
  const sub = timbre.tonalBalance.find(({ band }) => band === 'sub');
  if (loudness.plrLu === null || timbre.flatness === null || timbre.flux === null || !sub) return null;
  return weightedSum([
    [0.35, rampUp(loudness.plrLu, 8, 20)],
    [0.3, rampDown(timbre.flatness, 0.08, 0.45)],
    [0.15, rampDown(timbre.flux, 0.06, 0.22)],
    [0.2, rampDown(sub.deviationDb, -25, 5)],
  ]);
}

function explainAbsence(
  descriptors: Descriptors,
  { rhythm, tonal, reasons }: DescriptorInput,
): Record<string, UnavailableReason> {
  const absences: Record<keyof Computed, UnavailableReason | null> = {
    energy: rhythm === null ? 'not_requested' : reasons.sound,
    danceability: rhythm === null ? 'not_requested' : reasons.rhythm,
    valence:
      rhythm === null || tonal === null
        ? 'not_requested'
        : (reasons.rhythm ?? reasons.tonal ?? reasons.sound),
    acousticness: reasons.sound,
  };
  const missing = (Object.keys(absences) as (keyof Computed)[]).filter((name) => descriptors[name] === null);
  return Object.fromEntries(missing.map((name) => [name, absences[name]!]));
}

function rateBrightness(centroidHz: number): number {
  return rampUp(Math.log2(centroidHz), Math.log2(500), Math.log2(3500));
}

function weightedSum(parts: [weight: number, value: number][]): number {
  return parts.reduce((sum, [weight, value]) => sum + weight * value, 0);
}

/** 0 up to `low`, 1 from `high` on, linear between. */
function rampUp(value: number, low: number, high: number): number {
  return Math.max(0, Math.min(1, (value - low) / (high - low)));
}

/** 1 up to `low`, 0 from `high` on, linear between. */
function rampDown(value: number, low: number, high: number): number {
  return 1 - rampUp(value, low, high);
}
