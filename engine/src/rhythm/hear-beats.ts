/**
 * How much is each frame a beat, to the beat network (learned/beat-network.ts)?
 *
 * The inside of long silences is left out, where no frame is a beat: the network costs the same whatever it hears, and three hours of
 * silence cost as much as an opera.
 */

import { type BeatProbabilities, runBeatNetwork } from '../learned/beat-network.ts';
import type { ModelFile } from '../learned/model-file.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { markSound } from './sound-span.ts';

/** Relative to the RMS of the whole: far below any fade or reverberation that a beat could be heard in. A choice. */
const SILENCE_DB = -80;
/** Kept of a silence on either side: the network hears 20.4 s (1,022 frames) to either, the rest is slack. */
const MARGIN_SECONDS = 30;
/** Shorter ones are heard like everything else: a general pause belongs to the music. */
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

/** Everything but the inside of long silences, in order. */
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
      // Silence at either end of the file has no music on its other side.
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
