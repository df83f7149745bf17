import type { ExportSource } from '../export-source.ts';

/** Songs in order, as DJ software takes them. */
export type SongList = {
  /** Null for a single song, which is not a playlist. */
  name: string | null;
  songs: readonly ExportSource[];
  /** The folder of the files on the user's machine; null if unknown. */
  folder: string | null;
};

/** DJ players have the pads A to H, to which the first sections are assigned. */
export const HOT_CUES_MAX = 8;

/** The path for a file URL: `/Users/ada/a.mp3`, `/C:/Music/a.mp3`, or `/a.mp3` if the folder is unknown. */
export function urlPathOf(source: ExportSource, folder: string | null): string {
  const path = localPathOf(source, folder);
  return path.startsWith('/') ? path : `/${path}`;
}

/** The path on the user's machine, with slashes: `/Users/ada/a.mp3`, `C:/Music/a.mp3`. A relative folder stays relative. */
export function localPathOf(source: ExportSource, folder: string | null): string {
  // A name may come from a URL or another system, so folders in it are not those of this machine.
  const name = source.fileName?.split(/[\\/]/).at(-1) || source.analysisId;
  return folder ? `${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/${name}` : name;
}
