/**
 * How much is each frame a beat, according to the beat network (learned/beat-network.ts)?
 *
 * The network is not run inside long silences, where no frame is a beat: three hours of silence would cost it as much as an opera.
 */

import { type BeatProbabilities, runBeatNetwork } from '../learned/beat-network.ts';
import type { ModelFile } from '../learned/model-file.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { markSound } from './sound-span.ts';

/** Relative to the RMS of the whole: far below any fade or reverberation in which a beat could be heard. Chosen. */
const SILENCE_DB = -80;
/** Run at either end of a silence: the network sees 20.4 s (1,022 frames) to either side; the rest is slack. */
const MARGIN_SECONDS = 30;
/** Shorter silences are not left out. Chosen: a general pause belongs to the music. */
const SILENCE_SECONDS_MIN = 120;

export function hearBeats(model: ModelFile, mel: FrameMatrix, rms: number): BeatProbabilities {
  const spans = findSpansToHear(mel);
  if (spans.length === 1 && spans[0]!.end - spans[0]!.start === mel.frameCount)
    return runBeatNetwork(createKernels(), model, mel, rms);
  const heard = {
    frameRateHz: mel.frameRateHz,
    beat: new Float32Array(mel.frameCount),
    downbeat: new Float32Array(mel.frameCount),
  };
  for (const { start, end } of spans) {
    const part = runBeatNetwork(createKernels(), model, cutFrames(mel, start, end), rms);
    heard.beat.set(part.beat, start);
    heard.downbeat.set(part.downbeat, start);
  }
  return heard;
}

/** Frames, the end exclusive. */
type FrameSpan = { start: number; end: number };

/** Everything but the insides of long silences, in order. */
function findSpansToHear(mel: FrameMatrix): FrameSpan[] {
  const { frameCount, frameRateHz } = mel;
  const marginFrames = MARGIN_SECONDS * frameRateHz;
  const sounding = markSound(mel, SILENCE_DB);
  const spans: FrameSpan[] = [];
  let start = 0;
  let silentSince = 0;
  for (let frame = 0; frame <= frameCount; frame++) {
    if (frame < frameCount && sounding[frame] === 0) continue;
    if (frame - silentSince >= SILENCE_SECONDS_MIN * frameRateHz) {
      // Silence at either end of the file has music on one side only, and needs one margin.
      const from = silentSince === 0 ? 0 : silentSince + marginFrames;
      if (from > start) spans.push({ start, end: Math.round(from) });
      start = Math.round(frame === frameCount ? frameCount : frame - marginFrames);
    }
    silentSince = frame + 1;
  }
  if (start < frameCount) spans.push({ start, end: frameCount });
  return spans;
}

function cutFrames(mel: FrameMatrix, start: number, end: number): FrameMatrix {
  const { binCount, data } = mel;
  return { ...mel, frameCount: end - start, data: data.subarray(start * binCount, end * binCount) };
}
