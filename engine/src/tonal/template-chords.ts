/**
 * How well does each triad explain the chroma? These are the chord probabilities without a network.
 *
 * The cosine between the middle-register chroma and a triad's three pitch classes, plus a smaller term for a bass on the root (less for the fifth or the
 * third), scaled to log-odds. No chord has a constant score, which a clear triad exceeds.
 *
 * Templates: Fujishima, "Realtime Chord Recognition of Musical Sound", ICMC 1999. Bass evidence: Mauch and Dixon, "Approximate Note Transcription for the
 * Improved Identification of Difficult Chords", ISMIR 2010.
 */

import { createFrameWindow, windowRows } from '../signal/frame-window.ts';
import { createKernels } from '../signal/kernels.ts';
import {
  CHORD_CLASS_COUNT,
  type ChordActivation,
  createChordActivation,
  NO_CHORD,
  normaliseLogRow,
} from './chord-activation.ts';
import type { Chroma } from './chroma.ts';
import { PITCH_CLASS_COUNT } from './key-name.ts';

/** Log-odds per unit of score. Fitted jointly with the decoder's costs of a change; accuracy is flat from 6 to 10. */
export const SHARPNESS = 10;
/** This and the template were set by hand on the dev corpus. */
export const BASS_WEIGHT = 0.4;
export const BASS_TEMPLATE = { root: 1, fifth: 0.4, third: 0.3 };
/** Set by hand, below the score of clear triads (about 0.8). */
const NO_CHORD_SCORE = 0.5;
/** Added to a frame's norm before dividing by it, as a share of the RMS norm, so that frames far below the mean level match nothing. Set by hand. */
const LEVEL_FLOOR_SHARE = 0.05;

export function matchChordTemplates({ middle, bass }: Chroma): ChordActivation {
  const kernels = createKernels();
  const activation = createChordActivation(middle.frameRateHz, middle.frameCount, 'classical');
  const { root, fifth, third } = BASS_TEMPLATE;
  const template = kernels.copyDoubles([BASS_WEIGHT, root, fifth, third]).pointer;
  const [middleFloor, bassFloor] = [findLevelFloor(middle.data), findLevelFloor(bass.data)];
  const scores = kernels.allocateFloats(windowRows(0) * CHORD_CLASS_COUNT);
  let bassRows = 0;
  const bassWindow = createFrameWindow(kernels, bass, (rows) => {
    bassRows = rows;
  });
  const window = createFrameWindow(kernels, middle, (rows, rowCount) => {
    kernels.exports.matchTriads(
      rows,
      bassRows,
      rowCount,
      middleFloor,
      bassFloor,
      template,
      SHARPNESS,
      scores.pointer,
      CHORD_CLASS_COUNT,
    );
  });
  const out = activation.logProbabilities;
  for (let frame = 0; frame < middle.frameCount; frame += windowRows(0)) {
    // Both windows hold the same frames.
    bassWindow.seek(frame);
    window.visit(frame, Math.min(middle.frameCount, frame + windowRows(0)), (_, count) => {
      out.set(scores.view.subarray(0, count * CHORD_CLASS_COUNT), frame * CHORD_CLASS_COUNT);
    });
  }
  for (let row = 0; row < out.length; row += CHORD_CLASS_COUNT) {
    out[row + NO_CHORD] = SHARPNESS * NO_CHORD_SCORE;
    normaliseLogRow(out, row, CHORD_CLASS_COUNT);
  }
  return activation;
}

/** LEVEL_FLOOR_SHARE of the root mean square norm of the rows; never 0. */
function findLevelFloor(data: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i]! * data[i]!;
  const length = data.length === 0 ? 0 : Math.sqrt((sum / data.length) * PITCH_CLASS_COUNT);
  return LEVEL_FLOOR_SHARE * length + Number.EPSILON;
}
