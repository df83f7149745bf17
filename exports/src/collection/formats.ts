import { writeChordPro } from '../chordpro.ts';
import { type ExportSource, ExportUnavailable, songArtist, songTitle } from '../export-source.ts';
import { writeJams } from '../jams.ts';
import { writeRekordboxCollection } from '../rekordbox.ts';
import { safeFileName } from '../safe-file-name.ts';
import { writeM3u8, writeSeratoCrate, writeTraktorNml, writeVirtualDjList } from './playlists.ts';
import type { SongList } from './song-list.ts';
import { writeSongTable } from './song-table.ts';
import { writeZip } from './zip.ts';

type CollectionFile = {
  contentType: string;
  fileNameEnding: string;
  write(list: SongList): string | Uint8Array;
};

const XML = 'application/xml; charset=utf-8';

export const COLLECTION_EXPORTS = {
  rekordbox: { contentType: XML, fileNameEnding: '.rekordbox.xml', write: writeRekordboxCollection },
  traktor: { contentType: XML, fileNameEnding: '.nml', write: writeTraktorNml },
  virtualdj: { contentType: XML, fileNameEnding: '.vdjfolder', write: writeVirtualDjList },
  serato: { contentType: 'application/octet-stream', fileNameEnding: '.crate', write: writeSeratoCrate },
  m3u8: { contentType: 'audio/x-mpegurl; charset=utf-8', fileNameEnding: '.m3u8', write: writeM3u8 },
  csv: { contentType: 'text/csv; charset=utf-8', fileNameEnding: '.csv', write: writeSongTable },
  jams: { contentType: 'application/zip', fileNameEnding: '.jams.zip', write: zipOf('.jams', writeJams) },
  chordpro: {
    contentType: 'application/zip',
    fileNameEnding: '.chordpro.zip',
    write: zipOf('.cho', writeChordPro),
  },
} as const satisfies Record<string, CollectionFile>;

/**
 * Keeps only what the format needs. The waveform, the curves and the groups that no format uses make up most of a result, and hundreds
 * of songs are in memory until their list is written.
 */
export function keepForFormat(
  song: Omit<ExportSource, 'supplement'>,
  format: keyof typeof COLLECTION_EXPORTS,
): ExportSource {
  const { rhythm, loudness, content } = song.document;
  const document = {
    ...song.document,
    rhythm: rhythm && { ...rhythm, onsets: format === 'jams' ? rhythm.onsets : [] },
    loudness: loudness && {
      ...loudness,
      momentary: { ...loudness.momentary, values: [] },
      short_term: { ...loudness.short_term, values: [] },
    },
    quality: null,
    timbre: null,
    content: content && { ...content, voice_curve: null },
    waveform: null,
    fingerprint: null,
  };
  return { ...song, document, supplement: null };
}

/** One file per song, numbered in their order. A song without the groups that the format needs is left out. */
function zipOf(ending: string, write: (source: ExportSource) => string) {
  return ({ songs }: SongList): Uint8Array => {
    const files = songs.flatMap((song, index) => {
      try {
        return [{ name: `${nameOf(song, index)}${ending}`, content: Buffer.from(write(song)) }];
      } catch (error) {
        if (error instanceof ExportUnavailable) return [];
        throw error;
      }
    });
    return writeZip(files);
  };
}

function nameOf(song: ExportSource, index: number): string {
  const words = [songArtist(song), songTitle(song)].filter(Boolean).join(' - ');
  return `${String(index + 1).padStart(3, '0')} ${safeFileName(words)}`;
}
