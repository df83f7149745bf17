/** One file through the service: uploaded, followed live, its result fetched. */

import { randomUUID } from 'node:crypto';
import type { AnalysisHints } from '@earshot/engine';
import { type ExportFormat, ExportUnavailable, type ResultDocument } from '@earshot/exports';
import { openFile } from '@earshot/mcp/open-file';
import { AnalysisFailed, ApiError, type Earshot } from '@earshot/sdk';
import { isUnreadable } from '../is-unreadable.ts';
import type { Patience } from '../patience.ts';
import { type Analyser, SongFailed } from './song.ts';

/** What is wrong with one file or its upload, 413 for a proxy; any other refusal would meet every other file too. */
const OF_THE_FILE = new Set<string | number>(['payload_too_large', 'unsupported_media', 413]);

/** `patience` repeats what meets no service. */
export function createRemoteAnalyser(
  earshot: Earshot,
  hints: AnalysisHints,
  patience: Patience = (work) => work(),
): Analyser {
  const analyse: Analyser = async (path, onProgress) => {
    // Of all tries, so that they make one analysis.
    const idempotencyKey = randomUUID();
    const { job, result } = await patience(async () => {
      const job = await earshot.analyses.create({
        ...(await openFile(path).catch((error: Error) => {
          throw new SongFailed(error.message, { cause: error });
        })),
        idempotencyKey,
        hints: {
          bpm: hints.bpm,
          bpm_min: hints.bpmMin,
          bpm_max: hints.bpmMax,
          key: hints.key,
          time_signature: hints.timeSignature,
        },
      });
      const { result } = await job.wait({ onProgress: ({ progress }) => onProgress(progress) });
      return { job, result };
    });
    return {
      path,
      // Written by the very function that writes ours.
      result: result as unknown as ResultDocument,
      writeExport: (format) => patience(() => fetchExport(earshot, job.id, format)),
      writeReport: (format) => patience(() => earshot.analyses.report(job.id, format)),
    };
  };
  return async (path, onProgress) => {
    try {
      return await analyse(path, onProgress);
    } catch (error) {
      if (isOfTheFile(error)) throw new SongFailed((error as Error).message, { cause: error });
      throw error;
    }
  };
}

/** From the service, which keeps more of an analysis than its result says. */
async function fetchExport(earshot: Earshot, jobId: string, format: ExportFormat): Promise<Uint8Array> {
  try {
    return await earshot.analyses.export(jobId, format);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    throw new ExportUnavailable(error.message, { cause: error });
  }
}

function isOfTheFile(error: unknown): boolean {
  if (error instanceof AnalysisFailed || isUnreadable(error)) return true;
  return error instanceof ApiError && OF_THE_FILE.has(error.code ?? error.status);
}
