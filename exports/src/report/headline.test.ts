import { expect, it } from 'vitest';
import type { ResultDocument } from '../result-document.ts';
import { SONG } from '../test-song.ts';
import { headlineOf } from './headline.ts';

const withFields = (fields: object) => headlineOf({ ...SONG.document, ...fields } as ResultDocument);
const tileOf = (label: string, fields: object) => withFields(fields).find((tile) => tile.label === label);

it('shows the main figures, with their confidence', () => {
  expect(headlineOf(SONG.document)).toEqual([
    { label: 'Tempo', value: '120.00 BPM', note: '80 % sure' },
    { label: 'Key', value: 'Am', note: '8A, 70 % sure' },
    { label: 'Meter', value: '4/4', note: null },
    { label: 'Loudness', value: '−14.2 LUFS', note: null },
    { label: 'True peak', value: '−1.0 dBTP', note: null },
    { label: 'Length', value: '0:17', note: null },
  ]);
});

it('shows the first genre, which is the most likely', () => {
  const genres = [
    { label: 'jazz', confidence: 0.6 },
    { label: 'blues', confidence: 0.3 },
  ];
  expect(tileOf('Genre', { tags: { genres } })).toEqual({ label: 'Genre', value: 'jazz', note: '60 % sure' });
});

it('has a dash for an unknown value', () => {
  expect(tileOf('Tempo', { bpm: null, bpm_confidence: null })).toMatchObject({ value: '–', note: null });
  expect(tileOf('Key', { key_notation: null, camelot: null, key_confidence: null })).toMatchObject({
    value: '–',
    note: null,
  });
  expect(tileOf('Loudness', { loudness_lufs: null })?.value).toBe('–');
});

it.each([
  ['Tempo', 'tempo', 'corrected by hand'],
  ['Key', 'key', '8A, corrected by hand'],
  ['Meter', 'bars', 'corrected by hand'],
])('notes that %s was corrected', (label, kind, note) => {
  expect(tileOf(label, { corrections: { kinds: [kind] } })?.note).toBe(note);
});

it.each([
  [0, 'none'],
  [0.004, 'less than 1 % of the time'],
  [0.014, '1 % of the time'],
  [1, '100 % of the time'],
])('shows a voice presence of %d as %s', (voice_presence, value) => {
  expect(tileOf('Voice', { content: { ...SONG.document.content, voice_presence } })?.value).toBe(value);
});

it('shows a peak that rounds to zero without a sign', () => {
  expect(tileOf('True peak', { true_peak_dbtp: -0.03 })?.value).toBe('0.0 dBTP');
});
