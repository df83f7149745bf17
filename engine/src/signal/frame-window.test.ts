import { describe, expect, it } from 'vitest';
import { createFrameWindow } from './frame-window.ts';
import { createKernels } from './kernels.ts';

/** A matrix in which every value is the index of its frame. */
function makeMatrix(frameCount: number, binCount = 3) {
  const data = Float32Array.from({ length: frameCount * binCount }, (_, at) => Math.floor(at / binCount));
  return { frameRateHz: 10, binCount, frameCount, data };
}

/** The frames that `visit` passes on, read from kernel memory, each with the one `historyFrames` before it. */
function listVisited(frameCount: number, from: number, to: number, step?: number, historyFrames = 0) {
  const kernels = createKernels();
  const visited: { frame: number; value: number; before: number }[] = [];
  let rows = 0;
  const window = createFrameWindow(
    kernels,
    makeMatrix(frameCount),
    (pointer) => {
      rows = pointer;
    },
    historyFrames,
  );
  const valueAt = (row: number): number =>
    new Float32Array(kernels.exports.memory.buffer, rows, 3 * (row + 1))[3 * row]!;
  window.visit(
    from,
    to,
    (row, count, first) => {
      for (let i = 0; i < count; i++) {
        const at = row + i * (step ?? 1);
        visited.push({
          frame: first + i * (step ?? 1),
          value: valueAt(at),
          before: valueAt(at - historyFrames),
        });
      }
    },
    step,
  );
  return visited;
}

describe('visit', () => {
  it.each([0, 1, 255, 256, 257, 1000])('visits each of %i frames once, in order', (frameCount) => {
    const visited = listVisited(frameCount, 0, frameCount);
    expect(visited.map(({ frame }) => frame)).toEqual(Array.from({ length: frameCount }, (_, n) => n));
    for (const { frame, value } of visited) expect(value).toBe(frame);
  });

  it.each([2, 3, 300])('visits every %i-th frame', (step) => {
    const visited = listVisited(1000, 5, 990, step);
    const expected = Array.from({ length: Math.ceil(985 / step) }, (_, n) => 5 + n * step);
    expect(visited.map(({ frame }) => frame)).toEqual(expected);
    for (const { frame, value } of visited) expect(value).toBe(frame);
  });

  it('keeps the history of every frame readable', () => {
    const before = listVisited(1000, 3, 1000, 1, 3).map((visit) => visit.before);
    expect(before).toEqual(Array.from({ length: 997 }, (_, frame) => frame));
  });
});
