/** A thread that analyses songs for the command line, one after the other (analysis-threads.ts). */

import { parentPort, workerData } from 'node:worker_threads';
import { loadModels } from '@earshot/engine/models';
import type { ExportSource } from '@earshot/exports';
import { analyseHere } from './analyse-here.ts';
import { SongFailed } from './song.ts';

export type ToThread = { path: string };
export type FromThread =
  | { kind: 'progress'; fraction: number }
  | { kind: 'song'; source: ExportSource }
  | { kind: 'failed'; message: string }
  | { kind: 'broken'; error: unknown };

const PROGRESS_STEP = 0.01;

const { hints } = workerData;
const models = loadModels();
const send = (answer: FromThread): void => parentPort!.postMessage(answer);

parentPort!.on('message', async ({ path }: ToThread) => {
  let told = 0;
  const onProgress = (fraction: number): void => {
    if (fraction < told + PROGRESS_STEP) return;
    told = fraction;
    send({ kind: 'progress', fraction });
  };
  try {
    send({ kind: 'song', source: await analyseHere(path, { hints, models, onProgress }) });
  } catch (error) {
    send(
      error instanceof SongFailed ? { kind: 'failed', message: error.message } : { kind: 'broken', error },
    );
  }
});
