import { describe, expect, it } from 'vitest';
import type { ExportSource } from './export-source.ts';
import { longestSteadyRun, writeRekordboxXml } from './rekordbox.ts';
import { SONG } from './test-song.ts';

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

describe('a bar of a different length', () => {
  /** At 120 BPM throughout, so that only the bars can require a second tempo. */
  const gridOf = (bars: number[], changes: { start: number; beatsPerBar: number }[]) => {
    const beats = bars.flatMap((beatCount, bar) =>
      Array.from({ length: beatCount }, (_, beat) => ({ beat_in_bar: beat + 1, bar, confidence: 1 })),
    );
    const rhythm = {
      ...SONG.document.rhythm!,
      beats: beats.map((beat, index) => ({ ...beat, time_seconds: index / 2 })),
      time_signature: {
        beats_per_bar: 4,
        confidence: 1,
        changes: changes.map(({ start, beatsPerBar }, index) => ({
          start_seconds: start,
          end_seconds: changes[index + 1]?.start ?? 60,
          beats_per_bar: beatsPerBar,
          confidence: 1,
        })),
      },
    };
    const song: ExportSource = { ...SONG, document: { ...SONG.document, rhythm } };
    return [
      ...writeRekordboxXml(song).matchAll(/<TEMPO Inizio="(.*?)" Bpm=".*?" Metro="(.*?)" Battito="(.*?)"/g),
    ].map(([, start, metro, beat]) => `${start} ${metro} ${beat}`);
  };

  it('needs no second tempo while the bars go on evenly', () => {
    expect(gridOf([4, 4, 4, 4], [{ start: 0, beatsPerBar: 4 }])).toEqual(['0.000 4/4 1']);
  });

  it('restarts the bar count, because rekordbox counts bars of one length', () => {
    expect(gridOf([4, 2, 4, 4], [{ start: 0, beatsPerBar: 4 }])).toEqual(['0.000 4/4 1', '3.000 4/4 1']);
  });

  it('has its own meter where the meter changes', () => {
    const changes = [
      { start: 0, beatsPerBar: 4 },
      { start: 4, beatsPerBar: 3 },
    ];
    expect(gridOf([4, 4, 3, 3, 3], changes)).toEqual(['0.000 4/4 1', '4.000 3/4 1']);
  });
});
