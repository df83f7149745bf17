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

describe('a further correction', () => {
  it('keeps what was said before', () => {
    expect(joinCorrections(BEFORE, { key: 'D minor', tempo: undefined })).toEqual({
      tempo: 'double',
      first_downbeat_seconds: 0.5,
      shift_beats: null,
      key: 'D minor',
      chords: BEFORE.chords,
      note: 'by ear',
    });
  });

  it('says in one way where bars begin, and takes back what is null', () => {
    const moved = { shift_beats: 1, first_downbeat_seconds: null, note: null };
    expect(joinCorrections(BEFORE, { shift_beats: 1, note: null })).toMatchObject(moved);
    const named = { first_downbeat_seconds: 2, shift_beats: null };
    expect(joinCorrections({ ...BEFORE, shift_beats: 1 }, { first_downbeat_seconds: 2 })).toMatchObject(
      named,
    );
  });
});
