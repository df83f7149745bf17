/** A table with one row per song (RFC 4180). The service writes it for a collection, the command line for a folder. */

import { type CsvCell, formatCsvRow } from '../csv.ts';
import { type NamedSong, songAlbum, songArtist, songGenre, writtenTitle } from '../export-source.ts';
import type { SongList } from './song-list.ts';

type Column = { name: string; of: (song: NamedSong) => CsvCell };

/** A column means the same in every table. New columns are added at the end. */
export const SONG_COLUMNS: readonly Column[] = [
  { name: 'title', of: writtenTitle },
  { name: 'artist', of: songArtist },
  { name: 'album', of: songAlbum },
  { name: 'file_name', of: ({ fileName }) => fileName },
  { name: 'duration_seconds', of: ({ document }) => document.duration_seconds },
  { name: 'bpm', of: ({ document }) => document.bpm },
  { name: 'key', of: ({ document }) => document.key_notation },
  { name: 'camelot', of: ({ document }) => document.camelot },
  { name: 'open_key', of: ({ document }) => document.open_key },
  { name: 'time_signature', of: ({ document }) => document.time_signature },
  { name: 'energy', of: ({ document }) => document.energy },
  { name: 'danceability', of: ({ document }) => document.danceability },
  { name: 'valence', of: ({ document }) => document.valence },
  { name: 'loudness_lufs', of: ({ document }) => document.loudness_lufs },
  { name: 'true_peak_dbtp', of: ({ document }) => document.true_peak_dbtp },
  { name: 'genre', of: songGenre },
  { name: 'genre_heard', of: ({ document }) => document.genre_suggestions[0] ?? null },
  { name: 'moods', of: ({ document }) => document.mood_tags.join(', ') || null },
  { name: 'bpm_confidence', of: ({ document }) => document.bpm_confidence },
  { name: 'key_confidence', of: ({ document }) => document.key_confidence },
  { name: 'loudness_range_lu', of: ({ document }) => document.loudness?.range_lu ?? null },
  { name: 'acousticness', of: ({ document }) => document.acousticness },
  { name: 'instrumentalness', of: ({ document }) => document.instrumentalness },
  { name: 'speechiness', of: ({ document }) => document.speechiness },
  { name: 'voice_presence', of: ({ document }) => document.content?.voice_presence ?? null },
];

export function writeSongTable({ songs }: SongList): string {
  const header = ['position', 'job_id', ...SONG_COLUMNS.map(({ name }) => name)];
  const rows = songs.map((song, index): CsvCell[] => [
    index + 1,
    song.analysisId,
    ...SONG_COLUMNS.map(({ of }) => of(song)),
  ]);
  return [header, ...rows].map(formatCsvRow).join('');
}
