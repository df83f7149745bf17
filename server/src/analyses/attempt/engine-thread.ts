import { parentPort } from 'node:worker_threads';
import {
  type Analysis,
  type AnalysisOptions,
  type AnalysisResult,
  type PcmFormat,
  startAnalysis,
} from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';

/**
 * The thread that hears and thinks: the engine on blocks of samples from the main thread, one analysis after the other.
 * Apart, so that minutes of computing never hold up a heartbeat, a request or a stop.
 */

export type ToThread =
  /** Without `taggers` nothing is said of genre, mood and instruments, and the embedding lacks their part. */
  | { kind: 'start'; format: PcmFormat; options: AnalysisOptions; taggers: boolean }
  | { kind: 'block'; channels: Float32Array[] }
  | { kind: 'finish' };
export type FromThread =
  /** A block was used up; another may be sent. */
  | { kind: 'taken' }
  | { kind: 'progress'; stage: string; fraction: number }
  | { kind: 'result'; result: AnalysisResult };

const port = parentPort;
if (!port) throw new Error('This file is started as a worker thread');
const send = (message: FromThread) => port.postMessage(message);

const models = loadModels();
let analysis: Analysis | null = null;

port.on('message', (message: ToThread) => {
  if (message.kind === 'start') {
    const heardBy = message.taggers ? models : { ...models, tags: null };
    analysis = startAnalysis(message.format, message.options, heardBy);
    return;
  }
  if (!analysis) throw new Error(`Nothing was started before "${message.kind}"`);
  if (message.kind === 'block') {
    analysis.push({ channels: message.channels });
    send({ kind: 'taken' });
    return;
  }
  const result = analysis.finish((stage, fraction) => send({ kind: 'progress', stage, fraction }));
  analysis = null;
  // The thread stays until it is ended from outside: its exit must not overtake the result.
  send({ kind: 'result', result });
});
