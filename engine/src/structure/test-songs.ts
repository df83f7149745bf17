/** Spectra of songs with a known form, drawn bar by bar without audio: every section letter has its own groove, spectrum and tune. */

import type { Curve } from '../result.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { makeRandom } from '../test-random.ts';
import type { StructureInput } from './analyse-structure.ts';
import type { SimilarityBand } from './self-similarity.ts';

export const BAR_SECONDS = 2;
const BEATS_PER_BAR = 4;
const HIT_POSITIONS_PER_BAR = 16;
const NOTES_PER_BAR = 8;
const TUNE_BARS = 4;
const MEL = { rateHz: 50, bandCount: 81 };
const PITCH = { rateHz: 10, bandCount: 144 };

/** Sections as letters with their lengths in bars: [['A', 8], ['B', 8]]. Equal letters sound the same but for a little noise. */
export type Form = readonly (readonly [string, number])[];

export function makeSong(form: Form, seed = 1): StructureInput {
  const barCount = form.reduce((sum, [, bars]) => sum + bars, 0);
  const durationSeconds = barCount * BAR_SECONDS;
  const random = makeRandom(seed);
  const mel = createFrames(MEL, durationSeconds);
  const pitch = createFrames(PITCH, durationSeconds);
  let bar = 0;
  for (const [letter, bars] of form) {
    for (let i = 0; i < bars; i++) writeBar(mel, pitch, bar++, letter, i, random);
  }
  const beatCount = barCount * BEATS_PER_BAR;
  return {
    mel,
    pitch,
    rms: 1,
    durationSeconds,
    beatsSeconds: Array.from({ length: beatCount }, (_, beat) => (beat * BAR_SECONDS) / BEATS_PER_BAR),
    downbeatsSeconds: Array.from({ length: barCount }, (_, index) => index * BAR_SECONDS),
    tonal: null,
    voice: null,
    loudness: makeCurve(durationSeconds, () => -14),
  };
}

export function makeCurve(durationSeconds: number, levelAt: (seconds: number) => number | null): Curve {
  const hopSeconds = 0.1;
  const values = Array.from({ length: Math.round(durationSeconds / hopSeconds) }, (_, i) =>
    levelAt(i * hopSeconds),
  );
  return { hopSeconds, startSeconds: 0, values };
}

/** A band with the similarities that a function gives for two bars, the earlier first, less than `lagCount` apart. */
export function makeBand(
  barCount: number,
  similarityOf: (earlier: number, later: number) => number,
  lagCount = barCount,
): SimilarityBand {
  const values = new Float32Array(barCount * lagCount);
  for (let i = 0; i < barCount; i++) {
    for (let lag = 0; lag < lagCount && i + lag < barCount; lag++) {
      values[i * lagCount + lag] = lag === 0 ? 1 : similarityOf(i, i + lag);
    }
  }
  return { barCount, lagCount, values };
}

function createFrames(
  { rateHz, bandCount }: { rateHz: number; bandCount: number },
  seconds: number,
): FrameMatrix {
  const frameCount = Math.round(seconds * rateHz);
  return {
    frameRateHz: rateHz,
    binCount: bandCount,
    frameCount,
    data: new Float32Array(frameCount * bandCount),
  };
}

/** A letter seeds the random numbers of its hits, spectrum and tune, which is four bars long, as phrases are. */
function writeBar(
  mel: FrameMatrix,
  pitch: FrameMatrix,
  bar: number,
  letter: string,
  barInSection: number,
  random: () => number,
): void {
  const ofLetter = makeRandom(7919 * letter.charCodeAt(0));
  const colour = Array.from({ length: MEL.bandCount }, () => 0.02 + 0.2 * ofLetter() ** 3);
  const hits = Array.from({ length: HIT_POSITIONS_PER_BAR }, () => (ofLetter() < 0.4 ? 1 : 0));
  // Half-semitone bands from C4 up: every second one is a semitone.
  const tune = Array.from({ length: NOTES_PER_BAR * TUNE_BARS }, () => 48 + 2 * Math.floor(36 * ofLetter()));
  const melFrames = BAR_SECONDS * MEL.rateHz;
  for (let f = 0; f < melFrames; f++) {
    const position = Math.floor((f * HIT_POSITIONS_PER_BAR) / melFrames);
    const sinceHitFrames = f - (position * melFrames) / HIT_POSITIONS_PER_BAR;
    const magnitude = 0.5 + 3 * hits[position]! * Math.exp(-sinceHitFrames / 2);
    for (let band = 0; band < MEL.bandCount; band++) {
      mel.data[(bar * melFrames + f) * MEL.bandCount + band] =
        magnitude * colour[band]! * (0.8 + 0.4 * random());
    }
  }
  const pitchFrames = BAR_SECONDS * PITCH.rateHz;
  for (let f = 0; f < pitchFrames; f++) {
    const note = (barInSection % TUNE_BARS) * NOTES_PER_BAR + Math.floor((f * NOTES_PER_BAR) / pitchFrames);
    const row = (bar * pitchFrames + f) * PITCH.bandCount;
    for (let band = 0; band < PITCH.bandCount; band++) pitch.data[row + band] = 0.5 * random();
    pitch.data[row + tune[note]!]! += 60;
  }
}
