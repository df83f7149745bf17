import type { ExportSource } from '../export-source.ts';

/** Songs in order, as a program for DJs takes them. */
export type SongList = {
  /** Null for a song on its own, which is no playlist. */
  name: string | null;
  songs: readonly ExportSource[];
  /** Where the files lie on the reader's machine; null when nobody said. */
  folder: string | null;
};

/** The path of a song's file on the reader's machine, beginning with a slash; just its name where no folder is known. */
export function locationOf(source: ExportSource, folder: string | null): string {
  const name = source.fileName ?? source.analysisId;
  const base = (folder ?? '').replaceAll('\\', '/').replace(/\/+$/, '');
  return `${base.startsWith('/') || base === '' ? '' : '/'}${base}/${name}`;
}

/** As the reader's machine writes it: no slash stands before a drive, nor before a name alone. */
export function pathOf(source: ExportSource, folder: string | null): string {
  const location = locationOf(source, folder);
  return folder === null || /^\/[A-Za-z]:\//.test(location) ? location.slice(1) : location;
}
