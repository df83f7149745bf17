import type { Supplement } from '@earshot/engine';
import type { ResultDocument, Section } from './result-document.ts';

/** What an export or a report is written from: the stored result, and the names of the song. */
export type ExportSource = {
  analysisId: string;
  fileName: string | null;
  /** The names in the library, given by a person or read from the file; null for a song outside a library. */
  names: { title: string | null; artist: string | null; album: string | null } | null;
  completedAt: Date;
  document: ResultDocument;
  supplement: Supplement | null;
};

/** The result lacks a group that the format needs. The message is public. */
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

/** The parts of a source that name the song. */
export type NamedSong = Pick<ExportSource, 'names' | 'fileName' | 'document'>;

export function songTitle(source: ExportSource): string {
  return writtenTitle(source) ?? source.analysisId;
}

/** The title in the library, or in the file's tags, or the name of the file. */
export function writtenTitle({ names, fileName, document }: NamedSong): string | null {
  return names?.title ?? document.file.tags.title ?? fileName;
}

export function songArtist(source: NamedSong): string | null {
  return source.names?.artist ?? source.document.file.tags.artist;
}

export function songAlbum(source: NamedSong): string | null {
  return source.names?.album ?? source.document.file.tags.album;
}

/** The genre in the file's tags, or else the most likely one that was heard. */
export function songGenre({ document }: NamedSong): string | null {
  return document.file.tags.genre ?? document.genre_suggestions[0] ?? null;
}

/** How cues, markers and labels name a section: "verse (A)". */
export function sectionName({ label, group }: Section): string {
  return `${label} (${group})`;
}
