import { getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import {
  type AudioFileInfo,
  DecodeError,
  type DecodeErrorCode,
  type DecodeLimits,
  type DecodeSummary,
  decodeFile,
} from '@earshot/decode';
import { type AnalysisOptions, type AnalysisResult, startAnalysis } from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import { answerParent, exitIfOrphaned } from '../../platform/side-process-child.ts';

/**
 * The process that analyses files for a worker, one at a time. It starts the decoder itself: relaying the samples more than doubled
 * the worker's own processor time (docs/benchmarks.md).
 */

export type EngineRequest = {
  path: string;
  limits: Partial<DecodeLimits>;
  options: AnalysisOptions;
  /** Without them the result has no genre, mood and instruments, and the embedding lacks their part. */
  taggers: boolean;
};
export type AnalysedFile = { info: AudioFileInfo; decoded: DecodeSummary; result: AnalysisResult };
export type EngineMessage =
  | { kind: 'progress'; stage: 'decoding' | 'analysing'; fraction: number; detail?: string }
  /** A spent process takes no further file. */
  | ({ kind: 'analysed'; isSpent: boolean } & AnalysedFile)
  /** The parts of a DecodeError: structured cloning would drop its code. */
  | { kind: 'undecodable'; isSpent: boolean; code: DecodeErrorCode; message: string; cause: unknown }
  | { kind: 'failed'; error: unknown };

/** A fifth of the default weight on Linux, as for the workers in deploy/: requests on the same machine come first. */
const NICE_LEVEL = 7;
// A worker may have a higher one, which only a privileged process can lower.
setPriority(Math.max(NICE_LEVEL, getPriority()));

const PROGRESS_STEP_FRACTION = 0.01;
/** From this length on the process saves memory instead of time, and is not used again. */
const LONG_RECORDING_SECONDS = 20 * 60;

/** The memory of a long file, or of one that was aborted, is freed only by ending the process. */
let isSpent = false;

const models = loadModels();

async function analyse(
  request: EngineRequest,
  send: (message: EngineMessage) => void,
  signal: AbortSignal,
): Promise<AnalysedFile> {
  let reportedFraction = 0;
  const session = await decodeFile(request.path, {
    limits: request.limits,
    signal,
    reuseBlocks: true,
    onProgress(fraction) {
      if (fraction < reportedFraction + PROGRESS_STEP_FRACTION) return;
      reportedFraction = fraction;
      send({ kind: 'progress', stage: 'decoding', fraction });
    },
  });
  isSpent = true;
  try {
    const usedModels = request.taggers ? models : { ...models, tags: null };
    const analysis = startAnalysis(session.format, request.options, usedModels);
    for await (const block of session.blocks) analysis.push(block);
    const decoded = await session.finish();
    isSpent = decoded.durationSeconds > LONG_RECORDING_SECONDS;
    // Lowers the peak of two hours. Always on, it would make a song of five minutes 7 % slower (docs/benchmarks.md).
    if (isSpent) setFlagsFromString('--optimize-for-size');
    const result = analysis.finish((detail, fraction) => {
      exitIfOrphaned();
      send({ kind: 'progress', stage: 'analysing', fraction, detail });
    });
    // The decoder has replaced them by zeros, so the engine counts none.
    if (result.quality) result.quality.nonFiniteSamples = decoded.nonFiniteSamples;
    return { info: session.info, decoded, result };
  } finally {
    session.kill();
  }
}

answerParent<EngineRequest, EngineMessage>(async (request, send, orphaned) => {
  try {
    const analysed = await analyse(request, send, orphaned);
    send({ kind: 'analysed', isSpent, ...analysed });
  } catch (error) {
    if (error instanceof DecodeError) {
      const { code, message, cause } = error;
      // A process that cannot start decoders fails at once, and would draw every song away from those that can.
      send({ kind: 'undecodable', isSpent: isSpent || code === 'decoder_failed', code, message, cause });
    } else send({ kind: 'failed', error });
  }
});
