import type { Worker } from 'node:worker_threads';
import type { AnalysisOptions, AnalysisResult, PcmBlock, PcmFormat } from '@earshot/engine';
import type { FromThread, ToThread } from './engine-thread.ts';
import type { EngineThreads } from './engine-threads.ts';

/** Blocks on their way to the thread: enough that it never waits, few enough that memory stays small. */
const BLOCKS_IN_FLIGHT_MAX = 4;

export type EngineRun = {
  format: PcmFormat;
  blocks: AsyncIterable<PcmBlock>;
  options: AnalysisOptions;
  taggers: boolean;
  signal: AbortSignal;
  onProgress: (stage: string, fraction: number) => void;
};

/** A longer recording leaves so much memory behind that its thread goes with it. */
const KEPT_AFTER_SECONDS_MAX = 20 * 60;

/** Runs the engine on a stream of blocks in a thread that has nothing else to do, and that ends unless all went well. */
export async function runEngine(threads: EngineThreads, run: EngineRun): Promise<AnalysisResult> {
  run.signal.throwIfAborted();
  const thread = threads.take();
  const { promise: broken, reject: breakOff } = rejectable();
  const onAbort = () => breakOff(run.signal.reason);
  const onExit = (code: number) => breakOff(new Error(`The engine thread ended with code ${code}`));
  run.signal.addEventListener('abort', onAbort, { once: true });
  thread.once('error', breakOff).once('exit', onExit);
  let ended: Fed | null = null;
  try {
    ended = await Promise.race([feed(thread, run), broken]);
    return ended.result;
  } finally {
    run.signal.removeEventListener('abort', onAbort);
    thread.removeAllListeners('message');
    thread.off('error', breakOff).off('exit', onExit);
    if (ended && ended.audioSeconds <= KEPT_AFTER_SECONDS_MAX) threads.keep(thread);
    else await thread.terminate();
  }
}

type Fed = { result: AnalysisResult; audioSeconds: number };

async function feed(thread: Worker, run: EngineRun): Promise<Fed> {
  let samples = 0;
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
  send(thread, { kind: 'start', format: run.format, options: run.options, taggers: run.taggers });
  for await (const block of run.blocks) {
    if (run.signal.aborted) break;
    samples += block.channels[0]?.length ?? 0;
    send(thread, { kind: 'block', channels: block.channels });
    inFlight += 1;
    while (inFlight >= BLOCKS_IN_FLIGHT_MAX && !run.signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  send(thread, { kind: 'finish' });
  return { result: await result, audioSeconds: samples / run.format.sampleRateHz };
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
