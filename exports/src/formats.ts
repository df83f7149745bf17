import { writeAudacityLabels } from './audacity.ts';
import { writeAudiowaveformDat, writeAudiowaveformJson } from './audiowaveform.ts';
import { writeChordPro } from './chordpro.ts';
import { writeCsv } from './csv.ts';
import type { ExportSource } from './export-source.ts';
import { writeJams } from './jams.ts';
import { writeLabBeats, writeLabChords, writeLabSections } from './lab.ts';
import { writeMidi } from './midi.ts';
import { writeMusicXml } from './musicxml.ts';
import { writeRekordboxXml } from './rekordbox.ts';
import { writeSpotifyAudioAnalysis, writeSpotifyAudioFeatures } from './spotify.ts';

type ExportFile = {
  contentType: string;
  /** Appended to the name of the song. */
  fileNameEnding: string;
  write(source: ExportSource): string | Uint8Array;
};

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

export const EXPORTS = {
  jams: { contentType: JSON_TYPE, fileNameEnding: '.jams', write: writeJams },
  audacity: { contentType: TEXT_TYPE, fileNameEnding: '.labels.txt', write: writeAudacityLabels },
  'lab-beats': { contentType: TEXT_TYPE, fileNameEnding: '.beats.lab', write: writeLabBeats },
  'lab-chords': { contentType: TEXT_TYPE, fileNameEnding: '.chords.lab', write: writeLabChords },
  'lab-sections': { contentType: TEXT_TYPE, fileNameEnding: '.sections.lab', write: writeLabSections },
  midi: { contentType: 'audio/midi', fileNameEnding: '.mid', write: writeMidi },
  'rekordbox-xml': {
    contentType: 'application/xml; charset=utf-8',
    fileNameEnding: '.rekordbox.xml',
    write: writeRekordboxXml,
  },
  chordpro: { contentType: TEXT_TYPE, fileNameEnding: '.cho', write: writeChordPro },
  musicxml: {
    contentType: 'application/vnd.recordare.musicxml+xml; charset=utf-8',
    fileNameEnding: '.musicxml',
    write: writeMusicXml,
  },
  csv: { contentType: 'text/csv; charset=utf-8', fileNameEnding: '.csv', write: writeCsv },
  'audiowaveform-json': {
    contentType: JSON_TYPE,
    fileNameEnding: '.waveform.json',
    write: writeAudiowaveformJson,
  },
  'audiowaveform-dat': {
    contentType: 'application/octet-stream',
    fileNameEnding: '.waveform.dat',
    write: writeAudiowaveformDat,
  },
  'spotify-audio-analysis': {
    contentType: JSON_TYPE,
    fileNameEnding: '.audio-analysis.json',
    write: writeSpotifyAudioAnalysis,
  },
  'spotify-audio-features': {
    contentType: JSON_TYPE,
    fileNameEnding: '.audio-features.json',
    write: writeSpotifyAudioFeatures,
  },
} as const satisfies Record<string, ExportFile>;

export type ExportFormat = keyof typeof EXPORTS;
