/** Analyses one file through the service: uploads it, follows its progress, fetches its result. */

import { randomUUID } from 'node:crypto';
import type { AnalysisHints } from '@earshot/engine';
import { type ExportFormat, ExportUnavailable, type ResultDocument } from '@earshot/exports';
import { openFile } from '@earshot/mcp/open-file';
import { AnalysisFailed, ApiError, type Earshot } from '@earshot/sdk';
import { isUnreadable } from '../is-unreadable.ts';
import type { Retry } from '../retry-while-unreachable.ts';
import { type Analyser, SongFailed } from './song.ts';

/** Refusals of one file, by code, or by status where a proxy refused it. Any other refusal would meet every file. */
const FILE_REFUSALS = new Set<string | number>(['payload_too_large', 'unsupported_media', 413]);

export function createRemoteAnalyser(
  earshot: Earshot,
  hints: AnalysisHints,
  retry: Retry = (work) => work(),
): Analyser {
  return async (path, onProgress) => {
    // The same for every try, so that the service makes one analysis of them.
    const idempotencyKey = randomUUID();
    const analyseOnce = async () => {
      const file = await openFile(path).catch((error: Error) => {
        throw new SongFailed(error.message, { cause: error });
      });
      const job = await earshot.analyses.create({
        ...file,
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
    };
    const { job, result } = await retry(analyseOnce).catch((error: unknown) => {
      if (isFileFailure(error)) throw new SongFailed((error as Error).message, { cause: error });
      throw error;
    });
    return {
      path,
      // The service builds its document with the same function as analyse-here.ts.
      result: result as unknown as ResultDocument,
      writeExport: (format) => retry(() => fetchExport(earshot, job.id, format)),
      writeReport: (format) => retry(() => earshot.analyses.report(job.id, format)),
    };
  };
}

/** Exports come from the service, which stores more of an analysis than its result contains. */
async function fetchExport(earshot: Earshot, jobId: string, format: ExportFormat): Promise<Uint8Array> {
  try {
    return await earshot.analyses.export(jobId, format);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    throw new ExportUnavailable(error.message, { cause: error });
  }
}

function isFileFailure(error: unknown): boolean {
  if (error instanceof AnalysisFailed || isUnreadable(error)) return true;
  return error instanceof ApiError && FILE_REFUSALS.has(error.code ?? error.status);
}
