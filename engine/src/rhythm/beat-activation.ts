/**
 * How likely is each frame a beat, and a downbeat? The tracker decodes this activation, which comes from a network (learned-activation.ts),
 * from onsets (classical-activation.ts) or from the clicks of a metronome (metronome.ts).
 */

export type BeatActivation = {
  frameRateHz: number;
  /** 0..1 per frame: roughly the probability that a beat falls on it. */
  beat: Float32Array;
  /** 0..1 per frame, for the first beat of a bar. */
  downbeat: Float32Array;
  source: 'learned' | 'classical';
};

/** A beat occupies a sixteenth of its period (Krebs, Böck & Widmer 2015: λ = 16); "no beat" is spread over the other fifteen. */
const NO_BEAT_SHARE = 15;
/**
 * Probabilities are limited to this distance from 0 and 1: the networks output 1e-4 even where they are wrong, and a single missed beat
 * must not outweigh the song. Set by hand, as is the next.
 */
const PROBABILITY_FLOOR = 0.02;
/** Minimum share of the activation for "beat, not downbeat", since the two outputs of the network are independent and may be equal. */
const DOWNBEAT_LEAK = 0.05;

/** For each frame the log likelihood ratio of "beat, not downbeat" and of "downbeat", both against "no beat", interleaved. */
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
