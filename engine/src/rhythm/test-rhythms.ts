/** Rhythms with known beats: ideal activations and drum loops. */

import { makeRandom } from '../test-random.ts';
import type { BeatActivation } from './beat-activation.ts';

export type TestBeat = { timeSeconds: number; placeInBar: number };

/** Beats at a steady tempo from `startSeconds` to `endSeconds`. */
export function makeBeats(options: {
  bpm: number;
  beatsPerBar: number;
  startSeconds?: number;
  endSeconds: number;
}): TestBeat[] {
  const { bpm, beatsPerBar, startSeconds = 0.5, endSeconds } = options;
  const beats: TestBeat[] = [];
  for (let n = 0; startSeconds + (n * 60) / bpm < endSeconds; n++) {
    beats.push({ timeSeconds: startSeconds + (n * 60) / bpm, placeInBar: n % beatsPerBar });
  }
  return beats;
}

/** An ideal activation: a parabola of three or four frames around each beat, which may fall between frames, and 0.01 elsewhere. */
export function makeActivation(
  beats: readonly TestBeat[],
  durationSeconds: number,
  { height = 0.9 } = {},
): BeatActivation {
  const frameRateHz = 50;
  const frameCount = Math.round(durationSeconds * frameRateHz);
  const beat = new Float32Array(frameCount).fill(0.01);
  const downbeat = new Float32Array(frameCount).fill(0.01);
  for (const { timeSeconds, placeInBar } of beats) {
    const centreFrame = timeSeconds * frameRateHz;
    for (let frame = Math.ceil(centreFrame - 2); frame <= centreFrame + 2; frame++) {
      if (frame < 0 || frame >= frameCount) continue;
      const value = height * (1 - ((frame - centreFrame) / 2) ** 2);
      beat[frame] = Math.max(beat[frame]!, value);
      if (placeInBar === 0) downbeat[frame] = Math.max(downbeat[frame]!, value);
    }
  }
  return { frameRateHz, beat, downbeat, source: 'learned' };
}

/**
 * At 22,050 Hz: kick on the downbeat (and the third of four), bass on the downbeat, snare on the back beats, hi-hat on the beats and, unless
 * `swing` is null, that share of the way to the next.
 */
export function makeDrumLoop(
  beats: readonly TestBeat[],
  durationSeconds: number,
  swing: number | null = 0.5,
): Float32Array {
  const rateHz = 22_050;
  const signal = new Float32Array(Math.round(durationSeconds * rateHz));
  const random = makeRandom(1);
  const noise = (): number => 2 * random() - 1;
  const strike = (atSeconds: number, decaySeconds: number, wave: (seconds: number) => number): void => {
    const startSample = Math.round(atSeconds * rateHz);
    const sampleCount = Math.min(signal.length - startSample, Math.round(8 * decaySeconds * rateHz));
    for (let n = 0; n < sampleCount; n++) {
      signal[startSample + n]! += Math.exp(-n / (decaySeconds * rateHz)) * wave(n / rateHz);
    }
  };
  beats.forEach(({ timeSeconds, placeInBar }, index) => {
    if (placeInBar % 2 === 0)
      strike(
        timeSeconds,
        0.06,
        (seconds) => 0.8 * Math.sin(2 * Math.PI * (50 + 60 * Math.exp(-seconds / 0.02)) * seconds),
      );
    if (placeInBar === 0) strike(timeSeconds, 0.15, (seconds) => 0.3 * Math.sin(2 * Math.PI * 82 * seconds));
    if (placeInBar % 2 === 1)
      strike(timeSeconds, 0.05, (seconds) => 0.35 * noise() + 0.3 * Math.sin(2 * Math.PI * 190 * seconds));
    strike(timeSeconds, 0.015, () => 0.12 * noise());
    const next = beats[index + 1];
    if (swing !== null && next !== undefined && next.timeSeconds - timeSeconds < 2) {
      strike(timeSeconds + swing * (next.timeSeconds - timeSeconds), 0.015, () => 0.12 * noise());
    }
  });
  return signal;
}
