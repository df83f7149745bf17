import { describe, expect, it } from 'vitest';
import { listDifferences } from './compare-results.ts';

const RESULT = {
  bpm: 112.00131,
  rhythm: { beats: [{ time_seconds: 0.24, beat_in_bar: 1 }] },
  waveform: { levels: [{ data: [-3, 4] }] },
  provenance: { analysed_at: '2026-01-01T00:00:00Z', analysis_seconds: 1.5 },
};

describe('two results of one song', () => {
  it('are equal when they differ in last digits, in the rounding of a pixel, or in when they were made', () => {
    const other = structuredClone(RESULT);
    other.bpm += 1e-9;
    other.rhythm.beats[0]!.time_seconds += 1e-7;
    other.waveform.levels[0]!.data[1] = 5;
    other.provenance = { analysed_at: '2026-02-02T00:00:00Z', analysis_seconds: 9 };
    expect(listDifferences(RESULT, other)).toEqual([]);
  });

  it('may differ by half of the third decimal, or by a ten-thousandth of the larger number', () => {
    expect(listDifferences({ bpm: 0.5 }, { bpm: 0.50049 })).toEqual([]);
    expect(listDifferences({ bpm: 0.5 }, { bpm: 0.50051 })).toHaveLength(1);
    expect(listDifferences({ hz: 10_000.5 }, { hz: 10_001.49 })).toEqual([]);
    expect(listDifferences({ hz: 10_000.5 }, { hz: 10_001.51 })).toHaveLength(1);
    expect(listDifferences({ hz: 10_000 }, { hz: 10_000.9 })).toEqual([]);
    // A beat 20 ms later is another beat, however late in the song.
    const beatAt = (time_seconds: number) => ({ beats: [{ time_seconds }] });
    expect(listDifferences(beatAt(240.5), beatAt(240.52))).toHaveLength(1);
  });

  it('differ by a number, a whole number, a count, a word or a field', () => {
    expect(listDifferences(RESULT, { ...RESULT, bpm: 112.05 })).toEqual(['bpm: 112.00131 → 112.05']);
    expect(
      listDifferences(RESULT, { ...RESULT, rhythm: { beats: [{ time_seconds: 0.24, beat_in_bar: 2 }] } }),
    ).toEqual(['rhythm.beats[0].beat_in_bar: 1 → 2']);
    expect(listDifferences(RESULT, { ...RESULT, rhythm: { beats: [] } })).toEqual([
      'rhythm.beats: 1 items → 0',
    ]);
    expect(listDifferences({ key: 'G' }, { key: null })).toEqual(['key: "G" → null']);
    expect(listDifferences({ data: [1] }, { data: [2] })).toEqual(['data[0]: 1 → 2']);
    expect(listDifferences({ samples: 100_000 }, { samples: 100_001 })).toHaveLength(1);
    expect(listDifferences({ key: 'G' }, {})).toEqual(['key: "G" → undefined']);
    const data = (sample: number) => ({ waveform: { levels: [{ data: [sample] }] } });
    expect(listDifferences(data(4), data(6))).toEqual(['waveform.levels[0].data[0]: 4 → 6']);
    expect(listDifferences({ waveform: { zoom: 1 } }, { waveform: { zoom: 2 } })).toHaveLength(1);
    expect(listDifferences({ other: { data: [4] } }, { other: { data: [5] } })).toHaveLength(1);
  });
});
