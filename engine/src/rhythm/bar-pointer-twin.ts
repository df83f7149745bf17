/**
 * The bar-pointer tracker in TypeScript, forward pass and traceback: twin and oracle of engine/wasm/assembly/bar-pointer.ts.
 *
 * It reads the same plan, whose words are listed there, and writes the same history in the given memory, and rounds every score to 32 bits
 * as the kernel does. Addresses are in bytes, four to a word.
 */

const RECORD_WORDS = 3;

export function trackBarsTwin(
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
  const [history, periods, downbeatLanes] = [word(0) / 4, word(4) / 4, word(6) / 4];
  const [meters, best, tempoFloats] = [word(8) / 4, word(11) / 4, word(5) / 4];
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
          floats[at(frame, tempo, lane)] = fround(entered + observed);
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

/** The best score at every tempo if each step on the tempo grid between two beats costs `stepCost`. */
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

type Place = { frame: number; tempo: number; lane: number; score: number };

export function tracePathTwin(
  memory: ArrayBuffer,
  plan: number,
  lastFrame: number,
  meter: number,
  afterFrame: number,
  out: number,
): number {
  const words = new Int32Array(memory);
  const laneCount = words[plan / 4 + 3]!;
  const first = readBest(memory, plan, lastFrame, meter);
  let count = 0;
  for (
    let place: Place | null = first.score > 0 ? first : null;
    place !== null && place.frame > afterFrame;
    place = findPrevious(memory, plan, place)
  ) {
    words[out / 4 + 2 * count] = place.frame;
    words[out / 4 + 2 * count + 1] = place.tempo * laneCount + place.lane;
    count++;
  }
  return count;
}

/** The preceding beat on the best path; null at its first beat. */
function findPrevious(memory: ArrayBuffer, plan: number, { frame, tempo, lane }: Place): Place | null {
  const floats = new Float32Array(memory);
  const words = new Int32Array(memory);
  const word = (n: number): number => words[plan / 4 + n]!;
  const [historyFrames, tempoCount, laneCount, meterCount] = [word(1), word(2), word(3), word(9)];
  const [history, periods, meters, tempoFloats] = [word(0) / 4, word(4) / 4, word(8) / 4, word(5) / 4];
  const [stepCost, jitterCost, changeCost, restCost] = floats.subarray(plan / 4 + 12, plan / 4 + 16);
  const lanes = Array.from({ length: meterCount }, (_, m) => ({
    first: words[meters + 2 * m]! / 4,
    last: words[meters + 2 * m + 1]! / 4,
  }));
  const meter = lanes.findIndex(({ last }) => lane <= last);
  const rested = readBest(memory, plan, frame - 1, meter);
  let previous: Place = { ...rested, score: Math.max(0, rested.score - restCost!) };
  let found = rested.score > restCost!;
  const sources =
    lane > lanes[meter]!.first
      ? [{ lane: lane - 1, cost: 0 }]
      : lanes.map(({ last }, m) => ({ lane: last, cost: m === meter ? 0 : changeCost! }));
  for (const source of sources) {
    for (let from = 0; from < tempoCount; from++) {
      const periodFrames = words[periods + from]!;
      for (let frames = periodFrames - 1; frames <= periodFrames + 2; frames++) {
        const isExact = frames === periodFrames || frames === periodFrames + 1;
        const slot = (frame - frames) & (historyFrames - 1);
        const before = floats[history + from * tempoFloats + slot * laneCount + source.lane]!;
        const tempoCost = source.cost + stepCost! * Math.abs(from - tempo);
        const score = before - tempoCost - (isExact ? 0 : jitterCost!);
        if (score <= previous.score) continue;
        previous = { frame: frame - frames, tempo: from, lane: source.lane, score };
        found = true;
      }
    }
  }
  return found ? previous : null;
}

/** The last beat of the best path in a meter that ends at or before `frame`. */
function readBest(memory: ArrayBuffer, plan: number, frame: number, meter: number): Place {
  const words = new Int32Array(memory);
  const word = (n: number): number => words[plan / 4 + n]!;
  const [historyFrames, laneCount, meterCount, best] = [word(1), word(3), word(9), word(11) / 4];
  const record = best + ((frame & (historyFrames - 1)) * meterCount + meter) * RECORD_WORDS;
  const place = words[record + 2]!;
  return {
    score: new Float32Array(memory)[record]!,
    frame: words[record + 1]!,
    tempo: Math.floor(place / laneCount),
    lane: place % laneCount,
  };
}
