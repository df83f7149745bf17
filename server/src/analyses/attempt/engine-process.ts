import { setPriority } from 'node:os';
import {
  type Analysis,
  type AnalysisOptions,
  type AnalysisResult,
  type PcmFormat,
  startAnalysis,
} from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import { answerParent, exitIfOrphaned } from '../../platform/side-process-child.ts';

/** The process that hears and thinks: the engine on blocks of samples from a worker, one analysis after the other. */

export type ToEngine =
  /** Without `taggers` nothing is said of genre, mood and instruments, and the embedding lacks their part. */
  | { kind: 'start'; format: PcmFormat; options: AnalysisOptions; taggers: boolean }
  | { kind: 'block'; channels: Float32Array[] }
  | { kind: 'finish' };
export type FromEngine =
  /** A block was used up; another may be sent. */
  | { kind: 'taken' }
  | { kind: 'progress'; stage: string; fraction: number }
  | { kind: 'result'; result: AnalysisResult }
  | { kind: 'broken'; error: unknown };

/** A fifth of the usual weight on Linux, as the workers of deploy/ have: a song can wait for the requests of the same machine. */
const PRIORITY = 7;
setPriority(PRIORITY);

const models = loadModels();
let analysis: Analysis | null = null;

function answer(order: ToEngine, send: (answer: FromEngine) => void): void {
  if (order.kind === 'start') {
    const heardBy = order.taggers ? models : { ...models, tags: null };
    analysis = startAnalysis(order.format, order.options, heardBy);
    return;
  }
  if (!analysis) throw new Error(`Nothing was started before "${order.kind}"`);
  if (order.kind === 'block') {
    analysis.push({ channels: order.channels });
    send({ kind: 'taken' });
    return;
  }
  const result = analysis.finish((stage, fraction) => {
    exitIfOrphaned();
    send({ kind: 'progress', stage, fraction });
  });
  analysis = null;
  send({ kind: 'result', result });
}

answerParent<ToEngine, FromEngine>((order, send) => {
  try {
    answer(order, send);
  } catch (error) {
    send({ kind: 'broken', error });
  }
});
