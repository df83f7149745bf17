/**
 * How likely is each frame a beat and a downbeat, according to the beat network (learned/beat-network.ts)?
 *
 * In silence and in steady hiss the activation is set to zero: where nothing changes the network reports a pulse of its own, and a song
 * after a minute of silence would get the tempo of that pulse. The network is not run inside long silences,
 * since three hours of silence would cost as much as three hours of music. The limits are our own.
 */

import { runBeatNetwork } from '../learned/beat-network.ts';
import type { ModelFile } from '../learned/model-file.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import type { BeatActivation } from './beat-activation.ts';
import { findSilences, findSoundingSpans } from './silences.ts';
import { findSteadyNoise } from './steady-noise.ts';

/** Relative to the RMS of the recording: below any fade or reverberation with an audible beat, above 16-bit dither under loud music. */
const SILENCE_DB = -60;
/** Shorter silences may have beats: a general pause belongs to the music. */
const SILENCE_SECONDS_MIN = 5;
/** Kept at either end of a silence, since the activation of a beat begins a few frames before its sound. */
const BEAT_SECONDS = 0.2;

export function computeLearnedActivation(model: ModelFile, mel: FrameMatrix, rms: number): BeatActivation {
  const { frameCount, frameRateHz } = mel;
  const beat = new Float32Array(frameCount);
  const downbeat = new Float32Array(frameCount);
  for (const { startFrame, endFrame } of findSoundingSpans(mel)) {
    const part = runBeatNetwork(createKernels(), model, cutFrames(mel, startFrame, endFrame), rms);
    beat.set(part.beat, startFrame);
    downbeat.set(part.downbeat, startFrame);
  }
  const marginFrames = BEAT_SECONDS * frameRateHz;
  for (const span of [...findSilences(mel, SILENCE_DB, SILENCE_SECONDS_MIN), ...findSteadyNoise(mel)]) {
    const startFrame = span.startFrame === 0 ? 0 : span.startFrame + marginFrames;
    const endFrame = span.endFrame === frameCount ? frameCount : span.endFrame - marginFrames;
    beat.fill(0, startFrame, endFrame);
    downbeat.fill(0, startFrame, endFrame);
  }
  return { frameRateHz, beat, downbeat, source: 'learned' };
}

function cutFrames(mel: FrameMatrix, startFrame: number, endFrame: number): FrameMatrix {
  const { binCount, data } = mel;
  return {
    ...mel,
    frameCount: endFrame - startFrame,
    data: data.subarray(startFrame * binCount, endFrame * binCount),
  };
}
