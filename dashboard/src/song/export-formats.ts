import type { RequestInput } from '@earshot/sdk';

import { CRATE_FORMATS } from '../library/crate-formats.ts';

export type ExportFormat = RequestInput<'exportAnalysis'>['params']['format'];

/** What a result can be taken away as, in words; the compiler says when a format is missing here. */
const NAMES: Record<ExportFormat, string> = {
  jams: 'JAMS',
  audacity: 'Audacity labels',
  'lab-beats': 'Beats (.lab)',
  'lab-chords': 'Chords (.lab)',
  'lab-sections': 'Sections (.lab)',
  midi: 'MIDI',
  'rekordbox-xml': 'rekordbox',
  chordpro: 'ChordPro, a lead sheet',
  musicxml: 'MusicXML, a lead sheet',
  csv: 'CSV',
  'audiowaveform-json': 'Waveform (JSON)',
  'audiowaveform-dat': 'Waveform (binary)',
  'spotify-audio-analysis': 'Spotify audio analysis',
  'spotify-audio-features': 'Spotify audio features',
};

export const EXPORT_FORMATS = Object.entries(NAMES);

const OWN_AS_WELL = ['rekordbox', 'csv', 'jams', 'chordpro'];

/** What programs read several songs as, and a song has no file of its own for. */
export const DJ_FORMATS = CRATE_FORMATS.filter(([format]) => !OWN_AS_WELL.includes(format));
