import type { RequestInput } from '@earshot/sdk';
import { CRATE_FORMATS, type CrateFormat } from '../library/crate-formats.ts';

export type ExportFormat = RequestInput<'exportAnalysis'>['params']['format'];

/** The name of each export format; the type makes a missing one a compile error. */
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

const ALSO_SINGLE_SONG: readonly CrateFormat[] = ['rekordbox', 'csv', 'jams', 'chordpro'];

/** Crate formats that a song can be exported in only as a crate of one. */
export const DJ_FORMATS = CRATE_FORMATS.filter(([format]) => !ALSO_SINGLE_SONG.includes(format));
