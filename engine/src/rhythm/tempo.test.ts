import { describe, expect, it } from 'vitest';
import { fitPeriod, measureTempo } from './tempo.ts';

const steady = (count: number, periodSeconds: number, startSeconds = 0): number[] =>
  Array.from({ length: count }, (_, n) => startSeconds + n * periodSeconds);

describe('measureTempo', () => {
  it.each([45, 120.37, 240])('measures a metronome at %f BPM unrounded', (bpm) => {
    const tempo = measureTempo(steady(100, 60 / bpm))!;
    expect(tempo.bpm).toBeCloseTo(bpm, 9);
    expect(tempo.stability).toBeGreaterThan(0.999);
    for (const point of tempo.curve) expect(point.bpm).toBeCloseTo(bpm, 6);
  });

  it('is exact to 0.01 % for beats rounded to frames of 20 ms', () => {
    const rounded = steady(300, 60 / 121.3).map((time) => Math.round(time * 50) / 50);
    expect(Math.abs(measureTempo(rounded)!.bpm / 121.3 - 1)).toBeLessThan(1e-4);
  });

  it('is not moved by misplaced beats, a missing beat or a gap', () => {
    const timesSeconds = steady(120, 0.5);
    timesSeconds[30]! += 0.12;
    timesSeconds[31]! -= 0.1;
    timesSeconds.splice(60, 1);
    const later = steady(80, 0.5, 75.23);
    expect(measureTempo([...timesSeconds, ...later])!.bpm).toBeCloseTo(120, 1);
  });

  it('is the prevailing tempo when there are two', () => {
    const tempo = measureTempo([...steady(150, 0.5), ...steady(40, 0.4, 75)])!;
    expect(tempo.bpm).toBeCloseTo(120, 1);
    expect(tempo.curve.at(-1)!.bpm).toBeCloseTo(150, 1);
    expect(tempo.stability).toBeLessThan(0.1);
  });

  it('falls in stability as the tempo wanders', () => {
    const wander = (depth: number): number => {
      const timesSeconds = [0];
      for (let n = 1; n < 200; n++)
        timesSeconds.push(timesSeconds[n - 1]! + 0.5 * (1 + depth * Math.sin(n / 12)));
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
