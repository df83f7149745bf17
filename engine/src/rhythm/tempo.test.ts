import { describe, expect, it } from 'vitest';
import { fitPeriod, measureTempo } from './tempo.ts';

const steady = (count: number, periodSeconds: number, startSeconds = 0): number[] =>
  Array.from({ length: count }, (_, n) => startSeconds + n * periodSeconds);

describe('measureTempo', () => {
  it.each([45, 120.37, 240])('measures a metronome at %f BPM unrounded', (bpm) => {
    const tempo = measureTempo(steady(100, 60 / bpm))!;
    expect(tempo.bpm).toBeCloseTo(bpm, 9);
    expect(tempo.stability).toBeCloseTo(1, 9);
    // Of a hundred beats, every fourth begins nine up to the 92nd.
    expect(tempo.curve).toHaveLength(23);
    for (const point of tempo.curve) expect(point.bpm).toBeCloseTo(bpm, 6);
  });

  it('is exact to 0.01 % for beats rounded to frames of 20 ms', () => {
    const rounded = steady(300, 60 / 121.3).map((seconds) => Math.round(seconds * 50) / 50);
    expect(Math.abs(measureTempo(rounded)!.bpm / 121.3 - 1)).toBeLessThan(1e-4);
  });

  it('is not affected by misplaced beats, a missing beat or a gap', () => {
    const timesSeconds = steady(120, 0.5);
    timesSeconds[30]! += 0.12;
    timesSeconds[31]! -= 0.1;
    timesSeconds.splice(60, 1);
    const later = steady(80, 0.5, 75.23);
    expect(measureTempo([...timesSeconds, ...later])!.bpm).toBeCloseTo(120, 3);
  });

  it("limits the influence of an outlier within a run as Huber's weights do", () => {
    // The last of nine beats is 60 ms late, in an interval within 15 % of the others. It pulls as if it were 20 ms off the line, so as if
    // it were 20 ms / (1 - leverage) late, with a leverage of 1/9 + 4²/60; least squares make a slope of 4/60 of it. Plain ones: 0.504.
    const timesSeconds = steady(9, 0.5);
    timesSeconds[8]! += 0.06;
    const lateSeconds = 0.02 / (1 - (1 / 9 + 16 / 60));
    // The weights converge to within 1 % in five rounds.
    expect(Math.abs(fitPeriod(timesSeconds)! - (0.5 + (4 / 60) * lateSeconds))).toBeLessThan(2e-5);
  });

  it('gives a point of the curve for every fourth beat, in the middle of nine', () => {
    const curve = measureTempo(steady(30, 0.5))!.curve;
    expect(curve.map(({ timeSeconds }) => timeSeconds)).toEqual([2, 4, 6, 8, 10, 12]);
  });

  it('gives a single point for fewer than nine beats, in their middle', () => {
    const { curve, stability } = measureTempo(steady(3, 0.5))!;
    expect(curve).toEqual([{ timeSeconds: 0.5, bpm: 120 }]);
    expect(stability).toBe(1);
  });

  it('derives stability from the spread of the curve: 3 % is 1/e', () => {
    const timesSeconds = [0];
    for (let n = 1; n < 200; n++)
      timesSeconds.push(timesSeconds[n - 1]! + 0.5 * (1 + 0.03 * Math.sin(n / 20)));
    const { bpm, stability, curve } = measureTempo(timesSeconds)!;
    const meanSquare = curve.reduce((sum, point) => sum + Math.log(point.bpm / bpm) ** 2, 0) / curve.length;
    expect(stability).toBeCloseTo(Math.exp(-Math.sqrt(meanSquare) / 0.03), 12);
  });

  it('is the prevailing tempo when there are two', () => {
    const tempo = measureTempo([...steady(150, 0.5), ...steady(40, 0.4, 75)])!;
    expect(tempo.bpm).toBeCloseTo(120, 3);
    expect(tempo.curve.at(-1)!.bpm).toBeCloseTo(150, 3);
    expect(tempo.stability).toBeLessThan(0.1);
  });

  it('is less stable the more the tempo wanders', () => {
    const wander = (depthShare: number): number => {
      const timesSeconds = [0];
      for (let n = 1; n < 200; n++)
        timesSeconds.push(timesSeconds[n - 1]! + 0.5 * (1 + depthShare * Math.sin(n / 12)));
      return measureTempo(timesSeconds)!.stability;
    };
    expect(wander(0.002)).toBeGreaterThan(wander(0.01));
    expect(wander(0.01)).toBeGreaterThan(wander(0.05));
  });

  it.each([[[]], [[1]], [[1, 2]]])('is null for %j', (timesSeconds) => {
    expect(measureTempo(timesSeconds)).toBeNull();
    expect(fitPeriod(timesSeconds)).toBeNull();
  });
});
