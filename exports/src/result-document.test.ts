import { expect, it } from 'vitest';
import { SONG } from './test-song.ts';

const { document } = SONG;

it('has what is known of the file, without what only the decoder needs', () => {
  expect(document.file).toMatchObject({
    container: 'wav',
    duration_seconds: 17,
    byte_size: 2_998_844,
    sha256: '0'.repeat(64),
    cover_art_present: false,
  });
  for (const name of ['has_cover_art', 'decoder', 'declared_duration_seconds']) {
    expect(document.file).not.toHaveProperty(name);
  }
});

it('has the summary at its top, the groups below their names, and where it comes from', () => {
  expect(document).toMatchObject({
    ...{ schema_version: '1', bpm: 120, key_notation: 'Am', corrections: null, enrichment: [] },
    rhythm: { time_signature: { beats_per_bar: 4 } },
    provenance: {
      ...{
        schema_version: '1',
        decoder: 'wav',
        analysed_at: '2026-03-01T12:00:00.000Z',
        analysis_seconds: 1.5,
      },
      options: { features: null, hints: {} },
    },
  });
  for (const name of ['summary', 'supplement', 'models']) {
    expect(document).not.toHaveProperty(name);
  }
});
