// The forward pass of the bar-pointer tracker, and the trace back along its best path (src/rhythm/bar-tracker.ts explains the model and names its
// source). Twin: src/rhythm/bar-pointer-twin.ts.
//
// A state is a beat on a frame, with a tempo and a position in the bar; its score is that of the best path to it. Positions are the lanes of a row: the
// beats of the first meter in order, then those of the second, and so on. For each tempo, the history holds the rows of the last `historyFrames` frames (a
// power of two) contiguously, because a beat looks back at neighbouring frames of its own tempo.

/**
 * Processes `frameCount` frames. The plan has 32-bit words:
 * 0 history, 1 historyFrames, 2 tempoCount, 3 laneCount (a multiple of 4), 4 periods (i32: whole frames per beat at each tempo),
 * 5 bytes of history per tempo, 6 downbeatLanes (f32: 1 on the first beat of a bar, else 0), 7 laneScores (f32 per lane: first the
 * score of a beat that starts after a rest, then the highest score of the frame), 8 meters (i32 pairs: byte offsets of the first and last lane of each),
 * 9 meterCount, 10 scratch (4 + 2 · laneCount · tempoCount floats), 11 best (per history frame and meter: score f32, frame i32,
 * tempo · laneCount + lane i32), 12 tempoStepCost, 13 jitterCost, 14 meterChangeCost, 15 restCost (all f32).
 *
 * `observations` has two floats per frame: the log likelihood ratios of "beat, but not downbeat" and of "downbeat" against "no beat".
 */
export function trackBars(plan: usize, observations: usize, firstFrame: i32, frameCount: i32): void {
  const frameMask = load<i32>(plan, 4) - 1;
  const laneBytes = <usize>(load<i32>(plan, 12) << 2);
  for (let frame = firstFrame; frame < firstFrame + frameCount; frame++) {
    leaveBeats(plan, frame, frameMask, laneBytes);
    turnBars(plan, laneBytes);
    allowStarts(plan, frame, frameMask);
    const row = <usize>load<u32>(plan) + laneBytes * (frame & frameMask);
    enterBeats(plan, row, laneBytes, load<f32>(observations), load<f32>(observations, 4));
    recordBest(plan, row, laneBytes, frame, frameMask);
    observations += 8;
  }
}

/** Fills the first half of the scratch memory: the best score of a beat that started about one period ago and ends now, after changes of tempo. */
@inline
function leaveBeats(plan: usize, frame: i32, frameMask: i32, laneBytes: usize): void {
  const tempoCount = load<i32>(plan, 8);
  const tempoBytes = <usize>load<u32>(plan, 20);
  const jitter = f32x4.splat(load<f32>(plan, 52));
  const step = f32x4.splat(load<f32>(plan, 48));
  let history = <usize>load<u32>(plan);
  let period = <usize>load<u32>(plan, 16);
  let left = <usize>load<u32>(plan, 40) + 16;
  for (let tempo = 0; tempo < tempoCount; tempo++) {
    const from = frame - load<i32>(period);
    const early = history + laneBytes * ((from + 1) & frameMask);
    const short = history + laneBytes * (from & frameMask);
    const long = history + laneBytes * ((from - 1) & frameMask);
    const late = history + laneBytes * ((from - 2) & frameMask);
    for (let at: usize = 0; at < laneBytes; at += 16) {
      const exact = f32x4.pmax(v128.load(short + at), v128.load(long + at));
      const loose = f32x4.sub(f32x4.pmax(v128.load(early + at), v128.load(late + at)), jitter);
      let score = f32x4.pmax(exact, loose);
      if (tempo > 0) score = f32x4.pmax(score, f32x4.sub(v128.load(left + at - laneBytes), step));
      v128.store(left + at, score);
    }
    history += tempoBytes;
    period += 4;
    left += laneBytes;
  }
  left -= laneBytes;
  for (let tempo = tempoCount - 2; tempo >= 0; tempo--) {
    left -= laneBytes;
    for (let at: usize = 0; at < laneBytes; at += 16) {
      const p = left + at;
      v128.store(p, f32x4.pmax(v128.load(p), f32x4.sub(v128.load(p + laneBytes), step)));
    }
  }
}

/**
 * Fills the second half: each beat takes the score of the beat before it in the bar, and the first beat that of a bar's last. A separate pass, because
 * a vector load soon after a narrower store to the same address stalls the processor.
 */
@inline
function turnBars(plan: usize, laneBytes: usize): void {
  const tempoCount = load<i32>(plan, 8);
  const meters = <usize>load<u32>(plan, 32);
  const metersEnd = meters + <usize>(load<i32>(plan, 36) << 3);
  const change = f32x4.splat(load<f32>(plan, 56));
  let left = <usize>load<u32>(plan, 40) + 16;
  let entered = left + laneBytes * tempoCount;
  for (let tempo = 0; tempo < tempoCount; tempo++) {
    for (let at: usize = 0; at < laneBytes; at += 16) v128.store(entered + at, v128.load(left + at - 4));
    // A vector of which only one lane is used, because only vectors have a maximum in one instruction (lanes.ts). It starts below every score.
    let barEnd = f32x4.splat(-3e38);
    for (let meter = meters; meter < metersEnd; meter += 8) {
      barEnd = f32x4.pmax(barEnd, v128.load32_zero(left + load<i32>(meter, 4)));
    }
    barEnd = f32x4.sub(barEnd, change);
    for (let meter = meters; meter < metersEnd; meter += 8) {
      const ended = f32x4.pmax(v128.load32_zero(left + load<i32>(meter, 4)), barEnd);
      v128.store32_lane(entered + load<i32>(meter), ended, 0);
    }
    left += laneBytes;
    entered += laneBytes;
  }
}

/** A beat may follow a rest, from the best score that its meter has reached so far (0 before the first beat). */
@inline
function allowStarts(plan: usize, frame: i32, frameMask: i32): void {
  const laneScores = <usize>load<u32>(plan, 28);
  const meters = <usize>load<u32>(plan, 32);
  const meterCount = load<i32>(plan, 36);
  const restCost = load<f32>(plan, 60);
  let lastBest = <usize>load<u32>(plan, 44) + <usize>(12 * meterCount * ((frame - 1) & frameMask));
  for (let m = 0; m < meterCount; m++) {
    const start = max<f32>(0, load<f32>(lastBest) - restCost);
    const last = load<i32>(meters + (m << 3), 4);
    for (let lane = load<i32>(meters + (m << 3)); lane <= last; lane += 4) store<f32>(laneScores + lane, start);
    lastBest += 12;
  }
}

/** Fills the rows of the frame: a beat starts, as the next of its bar or as the first after a rest. */
@inline
function enterBeats(plan: usize, row: usize, laneBytes: usize, beat: f32, downbeat: f32): void {
  const tempoCount = load<i32>(plan, 8);
  const tempoBytes = <usize>load<u32>(plan, 20);
  const downbeatLanes = <usize>load<u32>(plan, 24);
  const laneScores = <usize>load<u32>(plan, 28);
  const entered = <usize>load<u32>(plan, 40) + 16 + laneBytes * tempoCount;
  for (let at: usize = 0; at < laneBytes; at += 16) {
    const observed = f32x4.add(f32x4.splat(beat), f32x4.mul(f32x4.splat(downbeat - beat), v128.load(downbeatLanes + at)));
    const start = v128.load(laneScores + at);
    let highest = f32x4.splat(-3e38);
    let from = entered + at, to = row + at;
    for (let tempo = 0; tempo < tempoCount; tempo++) {
      const begun = f32x4.pmax(v128.load(from), start);
      const score = f32x4.add(begun, observed);
      v128.store(to, score);
      highest = f32x4.pmax(highest, score);
      from += laneBytes;
      to += tempoBytes;
    }
    v128.store(laneScores + at, highest);
  }
}

/** Copies each meter's best end of a path from the previous frame, or replaces it by a better one on this frame. */
@inline
function recordBest(plan: usize, row: usize, laneBytes: usize, frame: i32, frameMask: i32): void {
  const laneScores = <usize>load<u32>(plan, 28);
  const meters = <usize>load<u32>(plan, 32);
  const meterCount = load<i32>(plan, 36);
  const best = <usize>load<u32>(plan, 44);
  const frameBytes = <usize>(12 * meterCount);
  let record = best + frameBytes * (frame & frameMask);
  memory.copy(record, best + frameBytes * ((frame - 1) & frameMask), frameBytes);
  for (let m = 0; m < meterCount; m++) {
    const first = load<i32>(meters + (m << 3)), last = load<i32>(meters + (m << 3), 4);
    let highest: f32 = load<f32>(laneScores + first);
    for (let lane = first + 4; lane <= last; lane += 4) highest = max<f32>(highest, load<f32>(laneScores + lane));
    if (highest > load<f32>(record)) {
      store<f32>(record, highest);
      store<i32>(record, frame, 4);
      store<i32>(record, findState(plan, row, laneBytes, first, last, highest), 8);
    }
    record += 12;
  }
}

/** Returns tempo · laneCount + lane of the first state with that score in the rows of the frame, from byte offset `first` to `last` of each. */
function findState(plan: usize, row: usize, laneBytes: usize, first: i32, last: i32, score: f32): i32 {
  const tempoCount = load<i32>(plan, 8);
  const tempoBytes = <usize>load<u32>(plan, 20);
  for (let tempo = 0; tempo < tempoCount; tempo++) {
    for (let lane = first; lane <= last; lane += 4) {
      if (load<f32>(row + lane) == score) return (<i32>laneBytes * tempo + lane) >> 2;
    }
    row += tempoBytes;
  }
  return -1;
}

/**
 * Writes the beats after `afterFrame` of the best path that ends in a meter at or before `lastFrame`, last beat first. A beat takes two 32-bit words: its
 * frame, and tempo · laneCount + lane. There are no backpointers: the beat before another is found by comparing all transitions to it again.
 * `out` must have room for one beat more than there can be. Returns the number of beats.
 */
export function tracePath(plan: usize, lastFrame: i32, meter: i32, afterFrame: i32, out: usize): i32 {
  const end = bestOf(plan, lastFrame, meter);
  if (!(load<f32>(end) > 0)) return 0;
  store<i32>(out, load<i32>(end, 4));
  store<i32>(out, load<i32>(end, 8), 4);
  let count = 0;
  while (load<i32>(out) > afterFrame) {
    count++;
    if (!findPrevious(plan, out)) break;
    out += 8;
  }
  return count;
}

/** Writes the predecessor of `beat` after it; returns false at the start of the path. */
function findPrevious(plan: usize, beat: usize): bool {
  const frame = load<i32>(beat);
  const laneCount = load<i32>(plan, 12);
  const tempo = load<i32>(beat, 4) / laneCount;
  const lane = (load<i32>(beat, 4) % laneCount) << 2;
  const meters = <usize>load<u32>(plan, 32);
  const meterCount = load<i32>(plan, 36);
  let meter = 0;
  while (load<i32>(meters + (meter << 3), 4) < lane) meter++;

  const previous = beat + 8;
  const rested = bestOf(plan, frame - 1, meter);
  let highest = <f64>load<f32>(rested) - <f64>load<f32>(plan, 60);
  store<i32>(previous, load<i32>(rested, 4));
  store<i32>(previous, highest > 0 ? load<i32>(rested, 8) : -1, 4);
  highest = max<f64>(0, highest);
  if (lane > load<i32>(meters + (meter << 3))) {
    compareTransitions(plan, frame, tempo, lane - 4, 0, highest, previous);
  } else {
    for (let from = 0; from < meterCount; from++) {
      const cost = from == meter ? 0 : <f64>load<f32>(plan, 56);
      highest = compareTransitions(plan, frame, tempo, load<i32>(meters + (from << 3), 4), cost, highest, previous);
    }
  }
  return load<i32>(previous, 4) >= 0;
}

/** Writes the best transition from a lane (byte offset) to a beat if its score exceeds `highest`; returns the higher of the two scores. */
function compareTransitions(
  plan: usize, frame: i32, tempo: i32, fromLane: i32, cost: f64, highest: f64, previous: usize,
): f64 {
  const frameMask = load<i32>(plan, 4) - 1;
  const tempoCount = load<i32>(plan, 8);
  const laneCount = load<i32>(plan, 12);
  const tempoBytes = <usize>load<u32>(plan, 20);
  const stepCost = <f64>load<f32>(plan, 48), jitterCost = <f64>load<f32>(plan, 52);
  let lane = <usize>load<u32>(plan) + fromLane;
  let periods = <usize>load<u32>(plan, 16);
  for (let from = 0; from < tempoCount; from++) {
    const period = load<i32>(periods);
    const tempoCost = cost + stepCost * <f64>abs<i32>(from - tempo);
    for (let frames = period - 1; frames <= period + 2; frames++) {
      const isExact = frames == period || frames == period + 1;
      const at = lane + <usize>((((frame - frames) & frameMask) * laneCount) << 2);
      const score = <f64>load<f32>(at) - tempoCost - (isExact ? 0 : jitterCost);
      if (score > highest) {
        highest = score;
        store<i32>(previous, frame - frames);
        store<i32>(previous, from * laneCount + (fromLane >> 2), 4);
      }
    }
    lane += tempoBytes;
    periods += 4;
  }
  return highest;
}

/** The record of the best path that ended in a meter up to a frame: score, frame, state. */
@inline
function bestOf(plan: usize, frame: i32, meter: i32): usize {
  const frameMask = load<i32>(plan, 4) - 1;
  const meterCount = load<i32>(plan, 36);
  return <usize>load<u32>(plan, 44) + <usize>(12 * ((frame & frameMask) * meterCount + meter));
}
