import { describe, expect, it } from 'vitest';
import { joinCorrections } from './join-corrections.ts';

const BEFORE = {
  job_id: 'j',
  kinds: ['tempo', 'bars'],
  tempo: 'double',
  bpm: 140,
  first_downbeat_seconds: 0.5,
  shift_beats: null,
  key: null,
  chords: [{ start_seconds: 0, end_seconds: 1, label: 'A:min7' }],
  note: 'by ear',
  corrected_by: 'usr_1',
  updated_at: '2026-11-17T00:00:00Z',
};

describe('a change to a correction', () => {
  it('keeps the earlier values', () => {
    expect(joinCorrections(BEFORE, { key: 'D minor', tempo: undefined })).toEqual({
      tempo: 'double',
      first_downbeat_seconds: 0.5,
      shift_beats: null,
      key: 'D minor',
      chords: BEFORE.chords,
      note: 'by ear',
    });
  });

  it('sets the beginning of bars in one way only, and removes what is null', () => {
    const shifted = { shift_beats: 1, first_downbeat_seconds: null, note: null };
    expect(joinCorrections(BEFORE, { shift_beats: 1, note: null })).toMatchObject(shifted);
    const placed = { first_downbeat_seconds: 2, shift_beats: null };
    expect(joinCorrections({ ...BEFORE, shift_beats: 1 }, { first_downbeat_seconds: 2 })).toMatchObject(
      placed,
    );
  });

  it('keeps the beginning of bars when the other way to set it is removed', () => {
    expect(joinCorrections(BEFORE, { shift_beats: null })).toMatchObject({ first_downbeat_seconds: 0.5 });
    const shifted = { ...BEFORE, first_downbeat_seconds: null, shift_beats: 1 };
    expect(joinCorrections(shifted, { first_downbeat_seconds: null })).toMatchObject({ shift_beats: 1 });
  });
});
