/**
 * The most likely sequence of beats, each with its tempo and its place in the bar: a bar-pointer model.
 *
 * A state is a beat: its frame, its tempo (on a geometric grid), its meter and its place in the bar. The frames between two beats are "no
 * beat". The score of a path is the sum of the log likelihood ratios of its beats against "no beat", less the costs of its moves:
 *   - tempo: λ · |ln(period / last period)|;
 *   - timing: the two whole frames around the period on the grid are free; one frame to either side costs a little: people are not clocks;
 *   - meter: a change has a cost and is possible only at a bar line;
 *   - rest: after a stretch without beats a path may begin again, at a cost, with any tempo and phase. It may begin late and end early.
 *
 * Krebs, Böck & Widmer, "An efficient state-space model for joint tempo and meter tracking", ISMIR 2015.
 * Deviations: the original has a state for every frame of every beat. Paths do not branch between beats, so only the scores of beats are
 * kept, which gives the same paths for less work. λ acts on the logarithm of the ratio, so that two sweeps over the grid find the
 * best change of tempo. There are no backpointers: the path is recovered from the scores. Beats older than `LAG_FRAMES` are final, so that
 * memory stays constant on files that last hours; competing paths differ for longer only where no beats are audible.
 */

import { ParameterError } from '../parameter-error.ts';
import type { Kernels } from '../signal/kernels.ts';

export type TrackedBeat = {
  frame: number;
  /** 0 is the downbeat. */
  placeInBar: number;
  beatsPerBar: number;
  periodFrames: number;
};

export type BarTrack = {
  beats: TrackedBeat[];
  /** Of the whole path: log likelihood ratio against no beats at all, less costs. */
  score: number;
  /** The score of the best path that ends in each meter, in the order of `meters`. */
  meterScores: number[];
};

export type TrackerOptions = {
  frameRateHz: number;
  bpmMin: number;
  bpmMax: number;
  /** Beats in a bar. */
  meters: readonly number[];
  /** Infinity keeps one meter throughout. */
  meterChangeCost: number;
  /** Step of the tempo grid. */
  tempoStepLogRatio?: number;
  /** Skips the traceback when only the scores are needed. */
  isScoreOnly?: boolean;
};

/** All costs are log likelihoods. This one is per unit of ln(period ratio); Krebs et al. use 100 on real music. */
const TEMPO_CHANGE_COST = 100;
/** Fine enough that the two free frames of each period cover the tempi between the steps; at the slowest ones jitter does. */
const TEMPO_STEP_LOG_RATIO = 0.02;
/** Cost of a beat one frame outside the two free ones. Set by hand, as is the next. */
const JITTER_COST = 2;
/** As much as about fifty beats without any activation, at 1.2 each (beat-activation.ts). */
export const REST_COST = 60;

/** A power of two, which the kernel requires; 41 s at 50 frames a second. */
const HISTORY_FRAMES = 2048;
const CHUNK_FRAMES = 1024;
/** Longest period; with jitter, a path looks back at most two frames further. */
const PERIOD_FRAMES_MAX = 254;
/** 15 s at 50 frames a second: what remains of the history when a chunk has been added to it. */
const LAG_FRAMES = HISTORY_FRAMES - CHUNK_FRAMES - PERIOD_FRAMES_MAX - 2;
/** Below every score a path can have. */
const UNREACHED = -1e9;
/** Rows of neighbouring tempi a power of two apart would compete for the same cache lines. */
const TEMPO_PAD_FLOATS = 16;
/** The words of a best score, of a beat of a path and of the plan are listed in engine/wasm/assembly/bar-pointer.ts. */
const RECORD_WORDS = 3;
const PATH_WORDS = 2;
const PLAN_WORDS = 16;
const WORD_BYTES = 4;

/** `observations` are those of `observeBeats`. */
export function trackBars(kernels: Kernels, observations: Float32Array, options: TrackerOptions): BarTrack {
  const mark = kernels.exports.markMemory();
  const frameCount = observations.length / 2;
  const chunk = kernels.allocateFloats(2 * CHUNK_FRAMES);
  const plan = createPlan(kernels, options);
  // One path for each meter in which it may end, since only the end decides which is best.
  const paths = options.meters.map((): TrackedBeat[] => []);
  let finalFrame = -1;
  for (let frame = 0; frame < frameCount; frame += CHUNK_FRAMES) {
    const count = Math.min(CHUNK_FRAMES, frameCount - frame);
    const endFrame = frame + count;
    chunk.view.set(observations.subarray(2 * frame, 2 * endFrame));
    kernels.exports.trackBars(plan.pointer, chunk.pointer, frame, count);
    const decidedFrame = finalFrame;
    finalFrame = endFrame === frameCount ? endFrame : endFrame - 1 - LAG_FRAMES;
    if (options.isScoreOnly) continue;
    paths.forEach((path, meter) => {
      for (const beat of traceBack(kernels, plan, endFrame - 1, meter, decidedFrame)) {
        const last = path.at(-1);
        // If another path has overtaken since the last traceback, its first beat may overlap the last one kept.
        const overlaps = last !== undefined && beat.frame < last.frame + last.periodFrames / 2;
        if (beat.frame <= finalFrame && !overlaps) path.push(beat);
      }
    });
  }
  const meterScores = paths.map((_, meter) =>
    frameCount === 0 ? 0 : readBestScore(plan, frameCount - 1, meter),
  );
  kernels.exports.releaseMemory(mark);
  const score = Math.max(...meterScores);
  return { beats: paths[meterScores.indexOf(score)]!, score, meterScores };
}

type Plan = {
  pointer: number;
  periodsFrames: number[];
  laneCount: number;
  meters: { beatsPerBar: number; firstLane: number; lastLane: number }[];
  meterOfLane: number[];
  /** RECORD_WORDS for each frame of the history and each meter, of which the first is the score. */
  bestScores: Float32Array;
  /** Buffer for the beats of a path, PATH_WORDS each. */
  path: Int32Array;
};

/** Writes the kernel's plan and allocates the memory to which it points. */
function createPlan(kernels: Kernels, options: TrackerOptions): Plan {
  const { tempoStepLogRatio = TEMPO_STEP_LOG_RATIO } = options;
  const periodsFrames = listPeriods(options, tempoStepLogRatio);
  const meters: Plan['meters'] = [];
  const meterOfLane: number[] = [];
  for (const beatsPerBar of options.meters) {
    const firstLane = meterOfLane.length;
    for (let beat = 0; beat < beatsPerBar; beat++) meterOfLane.push(meters.length);
    meters.push({ beatsPerBar, firstLane, lastLane: meterOfLane.length - 1 });
  }
  const laneCount = Math.ceil(meterOfLane.length / 4) * 4;
  const tempoFloats = HISTORY_FRAMES * laneCount + TEMPO_PAD_FLOATS;
  const floats = (values: ArrayLike<number>): number => kernels.copyFloats(values).pointer;
  const integers = (values: number[]): number => floats(new Float32Array(Int32Array.from(values).buffer));

  const downbeatLanes = new Float32Array(laneCount);
  for (const { firstLane } of meters) downbeatLanes[firstLane] = 1;
  const history = kernels.allocateFloats(tempoFloats * periodsFrames.length);
  const best = kernels.allocateFloats(HISTORY_FRAMES * meters.length * RECORD_WORDS);
  const path = kernels.allocateFloats((HISTORY_FRAMES + 1) * PATH_WORDS);
  const words = new DataView(new ArrayBuffer(PLAN_WORDS * WORD_BYTES));
  const write = (word: number, value: number): void => words.setInt32(WORD_BYTES * word, value, true);
  const writeCost = (word: number, value: number): void => words.setFloat32(WORD_BYTES * word, value, true);
  write(0, history.pointer);
  write(1, HISTORY_FRAMES);
  write(2, periodsFrames.length);
  write(3, laneCount);
  write(4, integers(periodsFrames.map(Math.floor)));
  write(5, WORD_BYTES * tempoFloats);
  write(6, floats(downbeatLanes));
  write(7, floats(new Float32Array(laneCount)));
  write(
    8,
    integers(meters.flatMap(({ firstLane, lastLane }) => [WORD_BYTES * firstLane, WORD_BYTES * lastLane])),
  );
  write(9, meters.length);
  write(10, floats(new Float32Array(4 + 2 * laneCount * periodsFrames.length)));
  write(11, best.pointer);
  writeCost(12, TEMPO_CHANGE_COST * tempoStepLogRatio);
  writeCost(13, JITTER_COST);
  writeCost(14, options.meterChangeCost);
  writeCost(15, REST_COST);
  const pointer = floats(new Float32Array(words.buffer));
  // The last allocation may grow the memory, which detaches views taken before it.
  history.view.fill(UNREACHED);
  return {
    pointer,
    periodsFrames,
    laneCount,
    meters,
    meterOfLane,
    bestScores: best.view,
    path: new Int32Array(path.view.buffer, path.pointer, path.length),
  };
}

function listPeriods(
  { frameRateHz, bpmMin, bpmMax, meters }: TrackerOptions,
  tempoStepLogRatio: number,
): number[] {
  const longestFrames = (60 * frameRateHz) / bpmMin;
  const shortestFrames = (60 * frameRateHz) / bpmMax;
  if (!(shortestFrames >= 3 && shortestFrames <= longestFrames && longestFrames <= PERIOD_FRAMES_MAX)) {
    throw new ParameterError(`cannot track ${bpmMin} to ${bpmMax} BPM at ${frameRateHz} frames a second`);
  }
  if (meters.length === 0 || meters.some((beats) => !Number.isInteger(beats) || beats < 1)) {
    throw new ParameterError(`meters must be whole numbers of beats, are [${meters}]`);
  }
  const count = Math.ceil(Math.log(longestFrames / shortestFrames) / tempoStepLogRatio) + 1;
  return Array.from({ length: count }, (_, i) => shortestFrames * Math.exp(i * tempoStepLogRatio));
}

/** The beats after `afterFrame`, in order, of the best path in a meter that ends at or before `lastFrame`. */
function traceBack(
  kernels: Kernels,
  plan: Plan,
  lastFrame: number,
  meter: number,
  afterFrame: number,
): TrackedBeat[] {
  const count = kernels.exports.tracePath(plan.pointer, lastFrame, meter, afterFrame, plan.path.byteOffset);
  return Array.from({ length: count }, (_, index) => {
    const at = (count - 1 - index) * PATH_WORDS;
    const place = plan.path[at + 1]!;
    const lane = place % plan.laneCount;
    const { firstLane, beatsPerBar } = plan.meters[plan.meterOfLane[lane]!]!;
    return {
      frame: plan.path[at]!,
      placeInBar: lane - firstLane,
      beatsPerBar,
      periodFrames: plan.periodsFrames[(place - lane) / plan.laneCount]!,
    };
  });
}

/** The score of the best path in a meter that ends at or before `frame`. */
function readBestScore(plan: Plan, frame: number, meter: number): number {
  return plan.bestScores[((frame & (HISTORY_FRAMES - 1)) * plan.meters.length + meter) * RECORD_WORDS]!;
}
