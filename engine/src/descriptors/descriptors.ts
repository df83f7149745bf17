/**
 * How energetic, danceable, happy, acoustic, instrumental and spoken is the sound? Six numbers from 0 to 1.
 *
 * Four are weighted means of ramps over what the other groups measured, so each rises or falls with its ingredients and nothing else; none depends on
 * the gain of the file. They describe the sound, not the listener: docs/result-format.md says what each is known to go along with, and how loosely.
 * Weights and ramps are set by hand: no corpus here has people's ratings (docs/algorithms.md, Feelings).
 * Instrumentalness and speechiness are measured elsewhere (content/).
 */

import type { Loudness, Rhythm, Summary, Timbre, Tonal, UnavailableReason } from '../result.ts';

export type Descriptors = Pick<
  Summary,
  'energy' | 'danceability' | 'valence' | 'acousticness' | 'instrumentalness' | 'speechiness'
>;

/** Those that are computed here; content/ gives the reasons for the absence of the others. */
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

/** Speech needs a voice: where a voice network was run, no more of the time is speech than has a voice. */
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
  return weighAll([
    [0.35, rampDown(loudness.plrLu, 7, 20)],
    [0.25, rampUp(rhythm.onsetRateHz, 0.5, 7)],
    [0.2, rampUp(Math.log2(timbre.centroidHz), Math.log2(500), Math.log2(3500))],
    [0.2, rampUp(timbre.flux, 0.06, 0.22)],
  ]);
}

/** A clear pulse, steady, near a walking tempo. */
function rateDanceability(rhythm: Rhythm | null): number | null {
  if (rhythm === null || rhythm.bpm === null || rhythm.stability === null || rhythm.beats.length === 0) {
    return null;
  }
  const pulse = rhythm.beats.reduce((sum, { confidence }) => sum + confidence, 0) / rhythm.beats.length;
  // Tempi people move to spread about half an octave around 118 BPM (Moelants, "Dance Music, Movement and Tempo Preferences", 2003).
  const octavesOff = Math.log2(rhythm.bpm / 118);
  const pace = Math.exp(-0.5 * (octavesOff / 0.5) ** 2);
  return weighAll([
    [0.4, pulse],
    [0.3, rhythm.stability],
    [0.3, pace],
  ]);
}

/**
 * Major, fast and bright against minor, slow and dark: the cues listeners agree on most (Gabrielsson and Lindström, "The role of
 * structure in the musical expression of emotions", 2010). Mode counts as far as the key is certain.
 */
function rateValence({ tonal, rhythm, timbre }: DescriptorInput): number | null {
  if (!tonal?.scale || tonal.confidence === null || !rhythm?.bpm || timbre.centroidHz === null) return null;
  const side = tonal.scale === 'major' ? 1 : -1;
  return weighAll([
    [0.5, 0.5 + 0.5 * side * tonal.confidence],
    [0.3, rampUp(Math.log2(rhythm.bpm), Math.log2(60), Math.log2(160))],
    [0.2, rampUp(Math.log2(timbre.centroidHz), Math.log2(500), Math.log2(3500))],
  ]);
}

/** Wide dynamics, tones rather than noise, steady spectra and little below 60 Hz are acoustic: neither synthesised nor heavily compressed. */
function rateAcousticness({ loudness, timbre }: DescriptorInput): number | null {
  const sub = timbre.tonalBalance.find(({ band }) => band === 'sub');
  if (loudness.plrLu === null || timbre.flatness === null || timbre.flux === null || !sub) return null;
  return weighAll([
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
  // The fallback is for sampling rates below 120 Hz, at which there is a timbre but no sub band.
  const soundReason = reasons.sound ?? 'too_short';
  const absences: Record<keyof Computed, UnavailableReason> = {
    energy: rhythm === null ? 'not_requested' : soundReason,
    danceability: rhythm === null ? 'not_requested' : (reasons.rhythm ?? 'no_pulse'),
    valence:
      rhythm === null || tonal === null
        ? 'not_requested'
        : (reasons.rhythm ?? reasons.tonal ?? 'no_pitched_content'),
    acousticness: soundReason,
  };
  const missing = (Object.keys(absences) as (keyof Computed)[]).filter((name) => descriptors[name] === null);
  return Object.fromEntries(missing.map((name) => [name, absences[name]]));
}

function weighAll(parts: [weight: number, value: number][]): number {
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
