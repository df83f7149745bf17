/**
 * Where between two beats does the off-beat eighth fall?
 *
 * 1. average the onset envelope over all beats, as a function of the phase from one beat to the next  2. the highest peak in the middle of
 *    this profile is the off-beat; its phase is the ratio: 0.5 straight, 2/3 triplet swing. The method is ours, its numbers set by hand.
 *
 * Confidence falls when the peak barely stands out from the profile (no eighths are played) and when the two halves of the song disagree.
 */

import { interpolatePeak } from './peak.ts';

/** Steps of the profile from one beat to the next. */
const PHASE_COUNT = 48;
/** Where an off-beat eighth may fall, as a share of the beat: from an early straight eighth to a dotted one. */
const OFF_BEAT_RATIO_MIN = 0.44;
const OFF_BEAT_RATIO_MAX = 0.76;
/** The envelope's own peak on the beat is within an eighth of a beat of it. */
const ON_BEAT_PHASE_COUNT = PHASE_COUNT / 8;
/** Four bars of four. */
const BEATS_MIN = 16;
/** A later peak is a sixteenth note, at 0.75, which says nothing about the eighths. */
const LATE_RATIO = 0.71;
/** Height of the peak above the profile's mean, relative to that of the peak on the beat, at which confidence is one half. */
const PROMINENCE_HALF = 0.15;
/** Difference between the halves of the song at which confidence has fallen to 1/e. */
const DISAGREEMENT_RATIO_SCALE = 0.03;

export type Swing = {
  /** Length of the first eighth as a share of the beat. */
  ratio: number;
  confidence: number;
};

/** Null with too few beats or without a clear off-beat. */
export function measureSwing(
  envelope: Float32Array,
  frameRateHz: number,
  beatsSeconds: readonly number[],
): Swing | null {
  if (beatsSeconds.length < BEATS_MIN) return null;
  const middle = beatsSeconds.length >> 1;
  const whole = findOffBeat(foldProfile(envelope, frameRateHz, beatsSeconds));
  if (whole === null) return null;
  const halves = [beatsSeconds.slice(0, middle + 1), beatsSeconds.slice(middle)].map((half) =>
    findOffBeat(foldProfile(envelope, frameRateHz, half)),
  );
  // A half without an off-beat counts as a full beat away.
  const disagreementRatio = Math.max(
    ...halves.map((half) => (half ? Math.abs(half.ratio - whole.ratio) : 1)),
  );
  const clear = whole.prominence / (whole.prominence + PROMINENCE_HALF);
  return { ratio: whole.ratio, confidence: clear * Math.exp(-disagreementRatio / DISAGREEMENT_RATIO_SCALE) };
}

/** Mean of the envelope at each phase between beats. */
function foldProfile(
  envelope: Float32Array,
  frameRateHz: number,
  beatsSeconds: readonly number[],
): Float32Array {
  const profile = new Float32Array(PHASE_COUNT);
  for (let beat = 0; beat + 1 < beatsSeconds.length; beat++) {
    const startFrames = beatsSeconds[beat]! * frameRateHz;
    const lengthFrames = beatsSeconds[beat + 1]! * frameRateHz - startFrames;
    for (let phase = 0; phase < PHASE_COUNT; phase++) {
      const at = startFrames + (lengthFrames * phase) / PHASE_COUNT;
      const frame = Math.floor(at);
      const here = envelope[frame] ?? 0;
      const next = envelope[frame + 1] ?? 0;
      profile[phase]! += (here + (at - frame) * (next - here)) / (beatsSeconds.length - 1);
    }
  }
  return profile;
}

function findOffBeat(profile: Float32Array): { ratio: number; prominence: number } | null {
  const mean = profile.reduce((sum, value) => sum + value, 0) / PHASE_COUNT;
  // The envelope peaks a little later than the activation that placed the beats, so phases are measured from its own peak on the beat.
  const onBeat = findHighest(profile, -ON_BEAT_PHASE_COUNT, ON_BEAT_PHASE_COUNT);
  const offBeat = findHighest(
    profile,
    Math.ceil(OFF_BEAT_RATIO_MIN * PHASE_COUNT),
    Math.floor(OFF_BEAT_RATIO_MAX * PHASE_COUNT),
  );
  if (onBeat === null || offBeat === null || !(onBeat.height > mean) || !(offBeat.height > mean)) return null;
  const ratio = (offBeat.phase - onBeat.phase) / PHASE_COUNT;
  if (ratio > LATE_RATIO) return null;
  return { ratio, prominence: (offBeat.height - mean) / (onBeat.height - mean) };
}

/** The highest peak between two phases of the profile, which wraps around from each beat to the next. */
function findHighest(
  profile: Float32Array,
  fromPhase: number,
  toPhase: number,
): { phase: number; height: number } | null {
  const around = Float32Array.from(
    { length: toPhase - fromPhase + 3 },
    (_, i) => profile[(fromPhase - 1 + i + PHASE_COUNT) % PHASE_COUNT]!,
  );
  let best: number | null = null;
  for (let i = 1; i < around.length - 1; i++) {
    const isPeak = around[i]! > around[i - 1]! && around[i]! >= around[i + 1]!;
    if (isPeak && (best === null || around[i]! > around[best]!)) best = i;
  }
  return best === null
    ? null
    : { phase: fromPhase - 1 + interpolatePeak(around, best), height: around[best]! };
}
