/**
 * How much does each frame look like a beat and like a downbeat? This is what the tracker decodes, whether it comes from a network
 * (hear-beats.ts) or from onsets (classical-activation.ts).
 */

export type BeatActivation = {
  frameRateHz: number;
  /** 0..1 per frame, near the probability that a beat falls on it. */
  beat: Float32Array;
  /** 0..1 per frame, for the first beat of a bar. */
  downbeat: Float32Array;
  source: 'learned' | 'classical';
};

/** A beat occupies about a sixteenth of its period (Krebs, Böck & Widmer 2015: λ = 16), so "no beat" spreads over the other fifteen. */
const NO_BEAT_SHARE = 15;
/**
 * No probability is taken to be nearer to 0 or 1. The networks give 1e-4 even where they are wrong, and a single missed beat must not
 * outweigh the song. Set by hand, as is the next.
 */
const PROBABILITY_FLOOR = 0.02;
/** "Beat, not downbeat" gets at least this share of the activation, since the two outputs of the networks do not add up to one. */
const DOWNBEAT_LEAK = 0.05;

/** Per frame: log likelihood ratio of "beat, not downbeat" and of "downbeat" against "no beat", interleaved. */
export function observeBeats({ beat, downbeat }: BeatActivation): Float32Array {
  const observations = new Float32Array(2 * beat.length);
  for (let frame = 0; frame < beat.length; frame++) {
    const down = downbeat[frame]!;
    const any = Math.max(beat[frame]!, down);
    const none = Math.log(clamp(1 - any) / NO_BEAT_SHARE);
    observations[2 * frame] = Math.log(clamp(Math.max(any - down, DOWNBEAT_LEAK * any))) - none;
    observations[2 * frame + 1] = Math.log(clamp(down)) - none;
  }
  return observations;
}

function clamp(probability: number): number {
  return Math.min(1 - PROBABILITY_FLOOR, Math.max(PROBABILITY_FLOOR, probability));
}
