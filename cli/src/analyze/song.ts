import type { ExportFormat, ResultDocument } from '@earshot/exports';

export type ReportFormat = 'html' | 'pdf';

/** An analysed song, from this machine or the service. */
export type Song = {
  path: string;
  result: ResultDocument;
  /** Throws ExportUnavailable when the result lacks what the format needs. */
  writeExport(format: ExportFormat): Promise<string | Uint8Array>;
  writeReport(format: ReportFormat): Promise<string | Uint8Array>;
};

/** The outcome for one file: a file that cannot be analysed does not end the run. */
export type Outcome = Song | { path: string; error: string };

/** A local analysis stops when `signal` aborts; one through the service ignores it. */
export type Analyser = (
  path: string,
  onProgress: (fraction: number) => void,
  signal?: AbortSignal,
) => Promise<Song>;

/** Why this file has no result; other files are not affected. */
export class SongFailed extends Error {
  override readonly name = 'SongFailed';
}
