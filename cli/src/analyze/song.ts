import type { ExportFormat, ResultDocument } from '@earshot/exports';

export type ReportFormat = 'html' | 'pdf';

/** A song that was analysed, wherever that was. */
export type Song = {
  path: string;
  result: ResultDocument;
  /** Throws ExportUnavailable where the result lacks what the format is made of. */
  writeExport(format: ExportFormat): Promise<string | Uint8Array>;
  writeReport(format: ReportFormat): Promise<string | Uint8Array>;
};

/** One input and what became of it: a file that cannot be analysed is a line of the answer, not the end of the run. */
export type Outcome = Song | { path: string; error: string };

/** Stops when `signal` aborts, where it can be stopped. */
export type Analyser = (
  path: string,
  onProgress: (fraction: number) => void,
  signal?: AbortSignal,
) => Promise<Song>;

/** Why this one file has no result; the others go on. */
export class SongFailed extends Error {
  override readonly name = 'SongFailed';
}
