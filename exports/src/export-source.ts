import type { Supplement } from '@earshot/engine';
import type { ResultDocument } from './result-document.ts';

/** What an export or a report is written from: the stored result, and the words a person would recognise the song by. */
export type ExportSource = {
  analysisId: string;
  fileName: string | null;
  /** What it is called, by people or by its file; null where it is on no shelf. */
  names: { title: string | null; artist: string | null; album: string | null } | null;
  completedAt: Date;
  document: ResultDocument;
  supplement: Supplement | null;
};

/** The result lacks what this format is made of; the reason is public. */
export class ExportUnavailable extends Error {
  override readonly name = 'ExportUnavailable';
}

type ExportGroup = 'rhythm' | 'tonal' | 'structure' | 'waveform';

export function requireGroup<G extends ExportGroup>(
  source: ExportSource,
  group: G,
): NonNullable<ResultDocument[G]> {
  const value = source.document[group];
  if (value === null) {
    const reason = source.document.unavailable[group] ?? 'not_requested';
    throw new ExportUnavailable(
      `This format is made from the ${group} group, which this result does not have (${reason}).`,
    );
  }
  return value as NonNullable<ResultDocument[G]>;
}

/** What a song is named by. */
export type NamedSong = Pick<ExportSource, 'names' | 'fileName' | 'document'>;

export function songTitle(source: ExportSource): string {
  return writtenTitle(source) ?? source.analysisId;
}

/** What people call it, what its file says, or else how its file is called. */
export function writtenTitle({ names, fileName, document }: NamedSong): string | null {
  return names?.title ?? document.file.tags.title ?? fileName;
}

export function songArtist(source: NamedSong): string | null {
  return source.names?.artist ?? source.document.file.tags.artist;
}

export function songAlbum(source: NamedSong): string | null {
  return source.names?.album ?? source.document.file.tags.album;
}

/** What the file says, or else what it was heard to be. */
export function songGenre({ document }: NamedSong): string | null {
  return document.file.tags.genre ?? document.genre_suggestions[0] ?? null;
}
