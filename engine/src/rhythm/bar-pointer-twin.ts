/**
 * The forward pass of the bar-pointer tracker in TypeScript: twin of engine/wasm/assembly/bar-pointer.ts and the oracle of its test.
 *
 * It reads the same plan and writes the same history, in the memory it is given, every score rounded to 32 bits as the kernel does.
 */

const RECORD_WORDS = 3;

export function trackBarsReference(
  memory: ArrayBuffer,
  plan: number,
  observations: number,
  firstFrame: number,
  frameCount: number,
): void {
  const floats = new Float32Array(memory);
  const words = new Int32Array(memory);
  const word = (n: number): number => words[plan / 4 + n]!;
  const cost = (n: number): number => floats[plan / 4 + n]!;
  const [historyFrames, tempoCount, laneCount, meterCount] = [word(1), word(2), word(3), word(9)];
  const [history, periods, tempoCosts, downbeatLanes] = [word(0) / 4, word(4) / 4, word(5) / 4, word(6) / 4];
  const [meters, best, tempoFloats] = [word(8) / 4, word(11) / 4, word(16) / 4];
  const [stepCost, jitterCost, changeCost, restCost] = [cost(12), cost(13), cost(14), cost(15)];
  const { fround, max } = Math;
  const slot = (frame: number): number => frame & (historyFrames - 1);
  const at = (frame: number, tempo: number, lane: number): number =>
    history + tempo * tempoFloats + slot(frame) * laneCount + lane;
  const recordAt = (frame: number, meter: number): number =>
    best + (slot(frame) * meterCount + meter) * RECORD_WORDS;
  const lanesOf = (meter: number): [number, number] => [
    words[meters + 2 * meter]! / 4,
    words[meters + 2 * meter + 1]! / 4,
  ];

  for (let n = 0; n < frameCount; n++) {
    const frame = firstFrame + n;
    const beat = floats[observations / 4 + 2 * n]!;
    const extra = fround(floats[observations / 4 + 2 * n + 1]! - beat);
    for (let meter = 0; meter < meterCount; meter++) {
      const [first, last] = lanesOf(meter);
      const start = max(0, fround(floats[recordAt(frame - 1, meter)]! - restCost));
      for (let lane = first; lane <= last; lane++) {
        const ended = (tempo: number, from: number): number => {
          const began = frame - words[periods + tempo]!;
          const exact = max(floats[at(began, tempo, from)]!, floats[at(began - 1, tempo, from)]!);
          const loose = max(floats[at(began + 1, tempo, from)]!, floats[at(began - 2, tempo, from)]!);
          return max(exact, fround(loose - jitterCost));
        };
        const left = (from: number): number[] =>
          sweepTempi(tempoCount, (tempo) => ended(tempo, from), stepCost);
        const same = left(lane > first ? lane - 1 : last);
        const others =
          lane > first ? [] : Array.from({ length: meterCount }, (_, other) => left(lanesOf(other)[1]));
        for (let tempo = 0; tempo < tempoCount; tempo++) {
          const barEnd = others.reduce((highest, scores) => max(highest, scores[tempo]!), fround(-3e38));
          const entered = max(same[tempo]!, lane > first ? start : fround(barEnd - changeCost), start);
          const observed = fround(beat + fround(extra * floats[downbeatLanes + lane]!));
          floats[at(frame, tempo, lane)] = fround(fround(entered + observed) - floats[tempoCosts + tempo]!);
        }
      }
    }
    for (let meter = 0; meter < meterCount; meter++) {
      const record = recordAt(frame, meter);
      words.copyWithin(record, recordAt(frame - 1, meter), recordAt(frame - 1, meter) + RECORD_WORDS);
      const [first, last] = lanesOf(meter);
      for (let tempo = 0; tempo < tempoCount; tempo++) {
        for (let lane = first; lane <= last; lane++) {
          if (floats[at(frame, tempo, lane)]! <= floats[record]!) continue;
          floats[record] = floats[at(frame, tempo, lane)]!;
          words[record + 1] = frame;
          words[record + 2] = tempo * laneCount + lane;
        }
      }
    }
  }
}

/** Best score at every tempo when a change costs `stepCost` for every step of the grid. */
function sweepTempi(tempoCount: number, score: (tempo: number) => number, stepCost: number): number[] {
  const scores = Array.from({ length: tempoCount }, (_, tempo) => score(tempo));
  for (let tempo = 1; tempo < tempoCount; tempo++) {
    scores[tempo] = Math.max(scores[tempo]!, Math.fround(scores[tempo - 1]! - stepCost));
  }
  for (let tempo = tempoCount - 2; tempo >= 0; tempo--) {
    scores[tempo] = Math.max(scores[tempo]!, Math.fround(scores[tempo + 1]! - stepCost));
  }
  return scores;
}
