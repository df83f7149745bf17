import type { ExportSource } from '../export-source.ts';

/** Songs in order, as a program for DJs takes them. */
export type SongList = {
  /** Null for a song on its own, which is no playlist. */
  name: string | null;
  songs: readonly ExportSource[];
  /** Where the files lie on the reader's machine; null when nobody said. */
  folder: string | null;
};

/** Pads A to H of a player: the first sections lie on them. */
export const HOT_CUES_MAX = 8;

/** The path within a URL, and from the root of a drive: `/Users/ada/a.mp3`, `/C:/Music/a.mp3`; where no folder is known, `/a.mp3`. */
export function urlPathOf(source: ExportSource, folder: string | null): string {
  const path = localPathOf(source, folder);
  return path.startsWith('/') ? path : `/${path}`;
}

/** As the reader's machine writes it, with slashes: `/Users/ada/a.mp3`, `C:/Music/a.mp3`, and a relative folder stays one. */
export function localPathOf(source: ExportSource, folder: string | null): string {
  // A name may come from a URL or another system: what looks like folders in it is not where the reader has the file.
  const name = source.fileName?.split(/[\\/]/).at(-1) || source.analysisId;
  return folder ? `${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/${name}` : name;
}
