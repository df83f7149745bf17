/**
 * How much is each frame a beat, according to the beat network (learned/beat-network.ts)?
 *
 * In seconds of silence, or of hiss beside the music, no frame is a beat, whatever the network says: where nothing changes it hears a pulse of its own, and a song after a
 * minute of silence would get the tempo of the silence. Inside long silences it is not run: three hours of silence would cost it as much as an opera.
 */

import { type BeatProbabilities, runBeatNetwork } from '../learned/beat-network.ts';
import type { ModelFile } from '../learned/model-file.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { markSound } from './sound-span.ts';
import { type FrameSpan, findSteadyNoise } from './steady-noise.ts';

/** Relative to the RMS of the whole: below any fade or reverberation in which a beat could be heard, above the dither of 16 bits under loud music. Chosen. */
const SILENCE_DB = -60;
/** Shorter silences may have beats. Chosen: a general pause belongs to the music. */
const SILENCE_SECONDS_MIN = 5;
/** Beside a silence: the activation of a beat begins a few frames before its sound. Chosen. */
const BEAT_SECONDS = 0.2;
/** Relative to the RMS of the whole: so little that the network hears the same as in digital silence. Chosen. */
const UNHEARD_DB = -80;
/** Run at either end of a silence: the network sees 20.4 s (1,022 frames) to either side; the rest is slack. */
const MARGIN_SECONDS = 30;
/** In shorter silences the network is run. Chosen. */
const UNHEARD_SECONDS_MIN = 120;

export function hearBeats(model: ModelFile, mel: FrameMatrix, rms: number): BeatProbabilities {
  const heard = hearSpans(model, mel, rms);
  const { frameCount, frameRateHz } = mel;
  for (const silence of [...findSilences(mel, SILENCE_DB, SILENCE_SECONDS_MIN), ...findSteadyNoise(mel)]) {
    const marginFrames = BEAT_SECONDS * frameRateHz;
    const start = silence.start === 0 ? 0 : silence.start + marginFrames;
    const end = silence.end === frameCount ? frameCount : silence.end - marginFrames;
    heard.beat.fill(0, start, end);
    heard.downbeat.fill(0, start, end);
  }
  return heard;
}

function hearSpans(model: ModelFile, mel: FrameMatrix, rms: number): BeatProbabilities {
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

/** Everything but the insides of long silences, in order; exported for its test. */
export function findSpansToHear(mel: FrameMatrix): FrameSpan[] {
  const { frameCount, frameRateHz } = mel;
  const marginFrames = MARGIN_SECONDS * frameRateHz;
  const spans: FrameSpan[] = [];
  let start = 0;
  for (const silence of findSilences(mel, UNHEARD_DB, UNHEARD_SECONDS_MIN)) {
    // Silence at either end of the file has music on one side only, and needs one margin.
    const end = silence.start === 0 ? 0 : Math.round(silence.start + marginFrames);
    if (end > start) spans.push({ start, end });
    start = silence.end === frameCount ? frameCount : Math.round(silence.end - marginFrames);
  }
  if (start < frameCount) spans.push({ start, end: frameCount });
  return spans;
}

/** The silences that last at least so long, in order. */
function findSilences(mel: FrameMatrix, silenceDb: number, secondsMin: number): FrameSpan[] {
  const { frameCount, frameRateHz } = mel;
  const sounding = markSound(mel, silenceDb);
  const silences: FrameSpan[] = [];
  let start = 0;
  for (let frame = 0; frame <= frameCount; frame++) {
    if (frame < frameCount && sounding[frame] === 0) continue;
    if (frame - start >= secondsMin * frameRateHz) silences.push({ start, end: frame });
    start = frame + 1;
  }
  return silences;
}

function cutFrames(mel: FrameMatrix, start: number, end: number): FrameMatrix {
  const { binCount, data } = mel;
  return { ...mel, frameCount: end - start, data: data.subarray(start * binCount, end * binCount) };
}
