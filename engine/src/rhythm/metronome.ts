/**
 * Is this a metronome: short clicks at even intervals, with near-silence between them? If so, every click is a beat.
 *
 * The beat network was trained on music: of bare clicks it reports no pulse, or a wrong one. The rules and their numbers are our own and
 * narrow: the whole recording has to consist of clicks, so that the analysis of music does not change.
 *
 * 1. clicks: runs of frames that are not far below the loudest  2. they must be short, without bass, and at even intervals  3. if the
 *    clicks have two levels, or else two pitches, the rarer ones are accents; accents at a constant distance begin the bars.
 */

import { medianOf } from '../median.ts';
import type { AnalysisHints } from '../result.ts';
import { copyFrames, type FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { sumRowSquares } from '../signal/row-squares.ts';
import type { TrackedBeat } from './bar-tracker.ts';
import type { BeatActivation } from './beat-activation.ts';
import { type BeatPulse, readMeter, readTempoRange } from './beat-tracking.ts';
import { PLAIN_SCORE, PULSE_BEATS_MIN } from './confidence.ts';
import { LOW_BANDS_END } from './onset-envelope.ts';
import { TEMPO_CENTRE_BPM } from './tempo-choice.ts';
import type { TempoRange } from './tempo-levels.ts';

/** Relative to the loudest frame: softer frames count as silence. Accents are seldom 20 dB above the other clicks. */
const SILENCE_DB = -30;
/** From the first to the last frame above that: the decay of a woodblock plus 46 ms of the analysis window. */
const CLICK_SECONDS_MAX = 0.25;
/** A click has less than this share of its power in the bass; a kick drum has more. */
const BASS_SHARE_MAX = 0.5;
/** Relative change from one interval to the next; the timing of clicks accounts for less than 2 % (metronome.slow.test.ts). */
const INTERVAL_CHANGE_MAX = 0.05;
/** Share of the intervals that must be even; the others may be changes of tempo, or pauses. */
const EVEN_SHARE_MIN = 0.9;
/** From the slowest setting of metronomes, 30, to the fastest tempo of a hint, 400 (beat-tracking.ts), with slack for rounding. */
const CLICK_BPM_MIN = 29.5;
const CLICK_BPM_MAX = 420;
/** Tried in turn, since the clicks alone may be faster than the range of tempi that is searched. */
const CLICKS_PER_BEAT = [1, 2, 3, 4];
/** Tolerance at the bounds of that range: the accuracy of the tempo of a few clicks. */
const BOUND_RATIO = 1.005;
/** Least difference in level between accents and other clicks. */
const ACCENT_DB_MIN = 2;
/** Least difference in pitch, between the centroids of their power in mel bands: two semitones above 1 kHz, four at 500 Hz. */
const PITCH_GAP_BANDS = 3;
/** Fewer deviating clicks than either limit are chance, not accents. */
const ACCENT_SHARE_MIN = 1 / 10;
const ACCENTS_MIN = 2;
/** Accents further apart span several bars. */
const BAR_BEATS_MAX = 7;
const COMMON_BAR_BEATS = 4;
/** Share of the bars, from accent to accent, that must have the same length. */
const EVEN_BARS_SHARE_MIN = 0.9;

/** Share of the tempo of the clicks; some listeners tap every second click, or twice per click. */
const LEVEL_WEIGHT = 0.95;
/** Share of the meter with accents, and without any evidence. */
const METER_WEIGHT = { accented: 0.9, plain: 0.5 };
/** The height of a plain beat in the network's activation. */
const BEAT_ACTIVATION = 0.9;
/** Frames on either side of a click at which the activation is zero again. */
const CLICK_RADIUS_FRAMES = 2;

type Click = {
  /**
   * Fractional: the centroid of the amplitude. That of a short click follows the analysis window, and shifted Hann windows add up to nearly
   * a constant, so the centroid does not depend on where between two frames the click is.
   */
  frame: number;
  levelDb: number;
  /** Fractional: the centroid of the power in the loudest frame. */
  band: number;
};

type Metronome = { activation: BeatActivation; tracking: BeatPulse };

/** Null unless the recording consists of clicks, enough of them, with a beat within the hinted tempi. */
export function detectMetronome(mel: FrameMatrix, hints: AnalysisHints = {}): Metronome | null {
  const clicks = findClicks(mel);
  if (clicks === null) return null;
  const clickBpm = (60 * mel.frameRateHz) / medianOf(intervalsFramesOf(clicks));
  const { bpmMin, bpmMax } = readRange(hints);
  const clicksPerBeat = CLICKS_PER_BEAT.find(
    (count) => clickBpm / count >= bpmMin / BOUND_RATIO && clickBpm / count <= bpmMax * BOUND_RATIO,
  );
  if (clicksPerBeat === undefined) return null;
  const first = Math.max(0, findAccents(clicks).indexOf(true)) % clicksPerBeat;
  const beats = clicks.filter((_, index) => index % clicksPerBeat === first);
  if (beats.length < PULSE_BEATS_MIN) return null;
  const accents = findAccents(beats);
  const barBeats = readMeter(hints) ?? findBarBeats(accents);
  const bpm = clickBpm / clicksPerBeat;
  return {
    activation: drawActivation(mel, clicks, beats, accents),
    tracking: {
      choice: {
        levelWeight: LEVEL_WEIGHT,
        meterWeight: barBeats === null ? METER_WEIGHT.plain : METER_WEIGHT.accented,
        alternatives: [
          { bpm, weight: LEVEL_WEIGHT },
          { bpm: bpm > TEMPO_CENTRE_BPM ? bpm / 2 : 2 * bpm, weight: 1 - LEVEL_WEIGHT },
        ],
      },
      track: {
        beats: countBars(beats, accents, barBeats ?? COMMON_BAR_BEATS),
        score: PLAIN_SCORE * beats.length,
      },
    },
  };
}

/** Without a hint slower tempi are allowed than in music: there is nothing between the clicks to tap. */
function readRange(hints: AnalysisHints): TempoRange {
  const range = readTempoRange(hints);
  const isHinted = [hints.bpm, hints.bpmMin, hints.bpmMax].some((bpm) => bpm !== undefined);
  return isHinted ? range : { ...range, bpmMin: CLICK_BPM_MIN };
}

/** Null unless the whole recording is clicks at even intervals. */
function findClicks(mel: FrameMatrix): Click[] | null {
  const power = sumRowSquares(createKernels(), mel);
  const loudest = power.reduce((highest, value) => Math.max(highest, value), 0);
  const threshold = loudest * 10 ** (SILENCE_DB / 10);
  const clickFramesMax = CLICK_SECONDS_MAX * mel.frameRateHz;
  const clicks: Click[] = [];
  const row = new Float32Array(mel.binCount);
  for (let startFrame = 0; startFrame < power.length; startFrame++) {
    if (!(power[startFrame]! > threshold)) continue;
    let endFrame = startFrame;
    while (endFrame < power.length && power[endFrame]! > threshold) endFrame++;
    if (endFrame - startFrame > clickFramesMax) return null;
    const click = describeClick(mel, power, startFrame, endFrame, row);
    if (click === null) return null;
    clicks.push(click);
    startFrame = endFrame;
  }
  return clicks.length >= PULSE_BEATS_MIN && areEven(intervalsFramesOf(clicks), mel.frameRateHz)
    ? clicks
    : null;
}

/** Null for a bass sound. */
function describeClick(
  mel: FrameMatrix,
  power: Float64Array,
  startFrame: number,
  endFrame: number,
  row: Float32Array,
): Click | null {
  let peak = startFrame;
  let energy = 0;
  for (let frame = startFrame; frame < endFrame; frame++) {
    energy += power[frame]!;
    if (power[frame]! > power[peak]!) peak = frame;
  }
  let weights = 0;
  let frames = 0;
  for (let frame = startFrame - 1; frame <= endFrame; frame++) {
    const weight = Math.sqrt(power[frame] ?? 0);
    weights += weight;
    frames += weight * frame;
  }
  copyFrames(mel, peak, peak + 1, row);
  let bass = 0;
  let bands = 0;
  row.forEach((magnitude, band) => {
    if (band < LOW_BANDS_END) bass += magnitude ** 2;
    bands += band * magnitude ** 2;
  });
  if (bass > BASS_SHARE_MAX * power[peak]!) return null;
  return { frame: frames / weights, levelDb: 10 * Math.log10(energy), band: bands / power[peak]! };
}

function areEven(intervalsFrames: readonly number[], frameRateHz: number): boolean {
  const bpm = (60 * frameRateHz) / medianOf(intervalsFrames);
  if (bpm < CLICK_BPM_MIN || bpm > CLICK_BPM_MAX) return false;
  const evenCount = intervalsFrames
    .slice(1)
    .filter((frames, index) => Math.abs(frames / intervalsFrames[index]! - 1) <= INTERVAL_CHANGE_MAX).length;
  return evenCount >= EVEN_SHARE_MIN * (intervalsFrames.length - 1);
}

/** Whether each click is an accent: one of the rarer level, or else of the rarer pitch; of equally many, the louder or higher ones. */
function findAccents(clicks: readonly Click[]): boolean[] {
  const levels = clicks.map(({ levelDb }) => levelDb);
  const bands = clicks.map(({ band }) => band);
  return splitAt(levels, ACCENT_DB_MIN) ?? splitAt(bands, PITCH_GAP_BANDS) ?? clicks.map(() => false);
}

/**
 * Which values are on the side of the gap that has fewer; null without a gap. The high ones may be one more, as in bars of two that begin
 * and end with an accent.
 */
function splitAt(values: readonly number[], gapMin: number): boolean[] | null {
  const middle = findGap(values, gapMin);
  if (middle === null) return null;
  const areHighFewer = values.filter((value) => value > middle).length <= Math.ceil(values.length / 2);
  return values.map((value) => value > middle === areHighFewer);
}

/** The middle of the highest gap of at least `gapMin` that has enough values on either side; null without one. */
function findGap(values: readonly number[], gapMin: number): number | null {
  const sorted = values.toSorted((a, b) => b - a);
  const fewCount = Math.max(ACCENTS_MIN, Math.ceil(ACCENT_SHARE_MIN * sorted.length));
  for (let index = fewCount; index <= sorted.length - fewCount; index++) {
    const [above, below] = [sorted[index - 1]!, sorted[index]!];
    if (above - below >= gapMin) return (above + below) / 2;
  }
  return null;
}

/** The beats from one accent to the next; null unless they are constant, and no more than a bar has. */
function findBarBeats(accents: readonly boolean[]): number | null {
  const places = accents.flatMap((isAccent, index) => (isAccent ? [index] : []));
  const lengthsBeats = places.slice(1).map((place, index) => place - places[index]!);
  if (lengthsBeats.length === 0) return null;
  const commonBeats = medianOf(lengthsBeats);
  const evenCount = lengthsBeats.filter((beats) => beats === commonBeats).length;
  // The first and the last bar may be incomplete.
  const isThroughout = (lengthsBeats.length + 2) * commonBeats >= accents.length;
  const isEven = evenCount >= EVEN_BARS_SHARE_MIN * lengthsBeats.length;
  return commonBeats >= 2 && commonBeats <= BAR_BEATS_MAX && isEven && isThroughout ? commonBeats : null;
}

/** Bars begin at the first accent and count on from there. */
function countBars(beats: readonly Click[], accents: readonly boolean[], beatsPerBar: number): TrackedBeat[] {
  const firstPlace = Math.max(0, accents.indexOf(true)) % beatsPerBar;
  const intervalsFrames = intervalsFramesOf(beats);
  return beats.map(({ frame }, index) => ({
    frame: Math.round(frame),
    placeInBar: (index - firstPlace + beatsPerBar) % beatsPerBar,
    beatsPerBar,
    periodFrames: intervalsFrames[index] ?? intervalsFrames.at(-1)!,
  }));
}

/** A parabola around each click, whose peak may lie between frames. Without accents any beat may begin a bar. */
function drawActivation(
  { frameCount, frameRateHz }: FrameMatrix,
  clicks: readonly Click[],
  beats: readonly Click[],
  accents: readonly boolean[],
): BeatActivation {
  const beat = new Float32Array(frameCount);
  const downbeat = new Float32Array(frameCount);
  const hasAccents = accents.includes(true);
  const shares = new Map(beats.map((click, index) => [click, hasAccents ? Number(accents[index]) : 0.5]));
  for (const click of clicks) {
    for (let frame = Math.ceil(click.frame - CLICK_RADIUS_FRAMES); frame < frameCount; frame++) {
      const height = BEAT_ACTIVATION * (1 - ((frame - click.frame) / CLICK_RADIUS_FRAMES) ** 2);
      if (height <= 0 && frame > click.frame) break;
      if (frame < 0 || height <= 0) continue;
      beat[frame] = height;
      downbeat[frame] = height * (shares.get(click) ?? 0);
    }
  }
  return { frameRateHz, beat, downbeat, source: 'classical' };
}

const intervalsFramesOf = (clicks: readonly Click[]): number[] =>
  clicks.slice(1).map(({ frame }, index) => frame - clicks[index]!.frame);
