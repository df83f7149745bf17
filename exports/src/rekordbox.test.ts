import { describe, expect, it } from 'vitest';
import { longestSteadyRun } from './rekordbox.ts';

const rhythmOf = (timesSeconds: number[], bpm: number | null = 100) => ({
  bpm,
  beats: timesSeconds.map((time_seconds) => ({
    time_seconds,
    beat_in_bar: 1,
    bar: 1,
    is_downbeat: false,
    confidence: 1,
  })),
});

describe('a run of one tempo', () => {
  it('lasts as long as the beats are steady', () => {
    const run = longestSteadyRun(rhythmOf([0, 0.5, 1, 1.5]), 0);
    expect(run.end).toBe(3);
    // The middle of what keeps each line within 10 ms of its beat.
    expect(run.bpmHundredths).toBeCloseTo(12_000, -1);
  });

  // A rest of 31 s, as a hidden track has one: no tempo of two decimals has a line within 10 ms of both its ends.
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

  it('has some tempo where the song has none', () => {
    expect(longestSteadyRun(rhythmOf([0, 40], null), 0)).toEqual({ end: 1, bpmHundredths: 12_000 });
  });
});
