import { describe, expect, it } from 'vitest';
import { longestSteadyRun } from './rekordbox.ts';

const rhythmOf = (timesSeconds: number[], bpm: number | null = 100) => ({
  bpm,
  beats: timesSeconds.map((time_seconds) => ({
    time_seconds,
    beat_in_bar: 1,
    bar: 1,
    confidence: 1,
  })),
});

describe('longestSteadyRun', () => {
  it('lasts as long as the beats are steady', () => {
    const run = longestSteadyRun(rhythmOf([0, 0.5, 1, 1.5]), 0);
    expect(run.end).toBe(3);
    // The middle of the tempos that keep each line within 10 ms of its beat.
    expect(run.bpmHundredths).toBeCloseTo(12_000, -1);
  });

  // Over a rest of 31 s, as before a hidden track, no tempo with two decimals has lines within 10 ms of both ends.
  it.each([3.1, 11, 31, 31.87, 300])('ends before a rest of %f s, and goes on after it', (restSeconds) => {
    const times = [0, 0.6, 1.2];
    const rhythm = rhythmOf([...times, ...times.map((time) => 1.2 + restSeconds + time)]);
    const starts: number[] = [];
    for (let start = 0; start < 5; ) {
      starts.push(start);
      const run = longestSteadyRun(rhythm, start);
      expect(run.end).toBeGreaterThan(start);
      expect(run.bpmHundredths).toBeCloseTo(10_000, -1);
      start = run.end;
    }
    expect(starts).toEqual([0, 2, 3]);
  });

  it('has 120 BPM if the song has no tempo', () => {
    expect(longestSteadyRun(rhythmOf([0, 40], null), 0)).toEqual({ end: 1, bpmHundredths: 12_000 });
  });
});
