import { setPriority } from 'node:os';
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
 * The process that decodes and analyses, one file after the other, for a worker. The decoder is a child of its own: samples that the
 * worker passed on took a fifth of a song's processor time.
 */

export type ToEngine = {
  path: string;
  limits: Partial<DecodeLimits>;
  options: AnalysisOptions;
  /** Without them nothing is said of genre, mood and instruments, and the embedding lacks their part. */
  taggers: boolean;
};
export type HeardFile = { info: AudioFileInfo; decoded: DecodeSummary; result: AnalysisResult };
export type FromEngine =
  | { kind: 'progress'; stage: 'decoding' | 'analysing'; fraction: number; detail?: string }
  /** One that is spent hears no other file. */
  | ({ kind: 'heard'; isSpent: boolean } & HeardFile)
  /** A DecodeError; as an object it would arrive without its code. */
  | { kind: 'undecodable'; isSpent: boolean; code: DecodeErrorCode; message: string; cause: unknown }
  | { kind: 'broken'; error: unknown };

/** A fifth of the usual weight on Linux, as the workers of deploy/ have: a song can wait for the requests of the same machine. */
const PRIORITY = 7;
setPriority(PRIORITY);

const PROGRESS_STEP_FRACTION = 0.01;
/** Beyond this the heap grows by less at a time, and so much memory is not kept for the next song. */
const LONG_RECORDING_SECONDS = 20 * 60;

/** What it has heard of a file that broke off, or of a long one, stays in its memory. */
let isSpent = false;

const models = loadModels();

async function hear(
  order: ToEngine,
  send: (answer: FromEngine) => void,
  signal: AbortSignal,
): Promise<HeardFile> {
  let toldFraction = 0;
  const session = await decodeFile(order.path, {
    limits: order.limits,
    signal,
    reuseBlocks: true,
    onProgress(fraction) {
      if (fraction < toldFraction + PROGRESS_STEP_FRACTION) return;
      toldFraction = fraction;
      send({ kind: 'progress', stage: 'decoding', fraction });
    },
  });
  isSpent = true;
  try {
    const heardBy = order.taggers ? models : { ...models, tags: null };
    const analysis = startAnalysis(session.format, order.options, heardBy);
    for await (const block of session.blocks) analysis.push(block);
    const decoded = await session.finish();
    isSpent = decoded.durationSeconds > LONG_RECORDING_SECONDS;
    // Two hours peak at 236 MB instead of 272. A song of five minutes would take 1.07 of its time.
    if (isSpent) setFlagsFromString('--optimize-for-size');
    const result = analysis.finish((detail, fraction) => {
      exitIfOrphaned();
      send({ kind: 'progress', stage: 'analysing', fraction, detail });
    });
    if (result.quality) result.quality.nonFiniteSamples = decoded.nonFiniteSamples;
    return { info: session.info, decoded, result };
  } finally {
    session.kill();
  }
}

answerParent<ToEngine, FromEngine>(async (order, send, left) => {
  try {
    const heard = await hear(order, send, left);
    send({ kind: 'heard', isSpent, ...heard });
  } catch (error) {
    if (error instanceof DecodeError) {
      const { code, message, cause } = error;
      // One that can start no decoder would be free at once, and take every song from those that can.
      send({ kind: 'undecodable', isSpent: isSpent || code === 'decoder_failed', code, message, cause });
    } else send({ kind: 'broken', error });
  }
});
