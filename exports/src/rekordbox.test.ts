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
    // Three beats in 1.49 to 1.51 s are 119.21 to 120.80 BPM, of which this is the middle.
    expect(run).toEqual({ end: 3, bpmHundredths: 12_001 });
  });

  // Over a rest of 31 s, as before a hidden track, no tempo with two decimals has lines within 10 ms of both ends.
  it.each([3.1, 11, 31, 31.87, 300])('ends before a rest of %f s, and goes on after it', (restSeconds) => {
    const timesSeconds = [0, 0.6, 1.2];
    const rhythm = rhythmOf([...timesSeconds, ...timesSeconds.map((seconds) => 1.2 + restSeconds + seconds)]);
    const runs: [start: number, bpmHundredths: number][] = [];
    for (let start = 0; start < 5; ) {
      const run = longestSteadyRun(rhythm, start);
      expect(run.end).toBeGreaterThan(start);
      runs.push([start, run.bpmHundredths]);
      start = run.end;
    }
    // Two beats in 1.19 to 1.21 s are 99.18 to 100.84 BPM; the beat before the rest gets the tempo of the song.
    expect(runs).toEqual([
      [0, 10_001],
      [2, 10_000],
      [3, 10_001],
    ]);
  });

  it('goes on over beats 3 s apart, which are the slowest tempo', () => {
    expect(longestSteadyRun(rhythmOf([0, 3, 6]), 0)).toEqual({ end: 2, bpmHundredths: 2_000 });
  });

  it('has 120 BPM if the song has no tempo', () => {
    expect(longestSteadyRun(rhythmOf([0, 40], null), 0)).toEqual({ end: 1, bpmHundredths: 12_000 });
  });
});

describe('a bar of a different length', () => {
  /** At 120 BPM throughout, so that only the bars can require a second tempo. */
  const gridOf = (beatCounts: number[], changes: { startSeconds: number; beatsPerBar: number }[]) => {
    const beats = beatCounts.flatMap((beatCount, bar) =>
      Array.from({ length: beatCount }, (_, beat) => ({ beat_in_bar: beat + 1, bar, confidence: 1 })),
    );
    const rhythm = {
      ...SONG.document.rhythm!,
      beats: beats.map((beat, index) => ({ ...beat, time_seconds: index / 2 })),
      time_signature: {
        beats_per_bar: 4,
        confidence: 1,
        changes: changes.map(({ startSeconds, beatsPerBar }, index) => ({
          start_seconds: startSeconds,
          end_seconds: changes[index + 1]?.startSeconds ?? 60,
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
    expect(gridOf([4, 4, 4, 4], [{ startSeconds: 0, beatsPerBar: 4 }])).toEqual(['0.000 4/4 1']);
  });

  it('restarts the bar count, because rekordbox counts bars of one length', () => {
    expect(gridOf([4, 2, 4, 4], [{ startSeconds: 0, beatsPerBar: 4 }])).toEqual([
      '0.000 4/4 1',
      '3.000 4/4 1',
    ]);
  });

  it('has its own meter where the meter changes', () => {
    const changes = [
      { startSeconds: 0, beatsPerBar: 4 },
      { startSeconds: 4, beatsPerBar: 3 },
    ];
    expect(gridOf([4, 4, 3, 3, 3], changes)).toEqual(['0.000 4/4 1', '4.000 3/4 1']);
  });
});
