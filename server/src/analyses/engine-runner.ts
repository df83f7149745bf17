import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AnalysisOptions, AnalysisResult, PcmBlock, PcmFormat } from '@earshot/engine';
import { SERVER_ROOT } from '../platform/server-root.ts';
import type { FromThread, ThreadInput, ToThread } from './engine-thread.ts';

/** Blocks on their way to the thread: enough that it never waits, few enough that memory stays small. */
const BLOCKS_IN_FLIGHT_MAX = 4;

export type EngineRun = {
  format: PcmFormat;
  blocks: AsyncIterable<PcmBlock>;
  options: AnalysisOptions;
  signal: AbortSignal;
  onProgress: (stage: string, fraction: number) => void;
};

/**
 * Used blocks of samples are freed when the young generation is full, and V8 counts their bytes in proportion to its size:
 * a small one keeps tens of megabytes of spent audio from piling up (measured: 40 MB less on half an hour).
 */
const YOUNG_GENERATION_MB = 3;

/** Runs the engine on a stream of blocks in a thread of its own, which ends with the run, however that ends. */
export async function runEngine(run: EngineRun): Promise<AnalysisResult> {
  run.signal.throwIfAborted();
  const workerData: ThreadInput = { format: run.format, options: run.options };
  const thread = new Worker(join(SERVER_ROOT, 'dist', 'engine-thread.js'), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const { promise: broken, reject: breakOff } = rejectable();
  const onAbort = () => breakOff(run.signal.reason);
  run.signal.addEventListener('abort', onAbort, { once: true });
  thread.once('error', breakOff);
  thread.once('exit', (code) => breakOff(new Error(`The engine thread ended with code ${code}`)));
  try {
    return await Promise.race([feed(thread, run), broken]);
  } finally {
    run.signal.removeEventListener('abort', onAbort);
    await thread.terminate();
  }
}

async function feed(thread: Worker, run: EngineRun): Promise<AnalysisResult> {
  let inFlight = 0;
  let wake = () => {};
  run.signal.addEventListener('abort', () => wake(), { once: true });
  const result = new Promise<AnalysisResult>((resolve) => {
    thread.on('message', (message: FromThread) => {
      if (message.kind === 'progress') run.onProgress(message.stage, message.fraction);
      else if (message.kind === 'result') resolve(message.result);
      else {
        inFlight -= 1;
        wake();
      }
    });
  });
  for await (const block of run.blocks) {
    if (run.signal.aborted) break;
    send(thread, { kind: 'block', channels: block.channels });
    inFlight += 1;
    while (inFlight >= BLOCKS_IN_FLIGHT_MAX && !run.signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  send(thread, { kind: 'finish' });
  return result;
}

function send(thread: Worker, message: ToThread): void {
  const buffers =
    message.kind === 'block' ? [...new Set(message.channels.map((samples) => samples.buffer))] : [];
  thread.postMessage(message, buffers as ArrayBuffer[]);
}

/** A promise that can only be rejected, and that nobody has to wait for. */
function rejectable(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<never>((_, onReject) => {
    reject = onReject;
  });
  promise.catch(() => {});
  return { promise, reject };
}
