import type { AnalysisOptions, AnalysisResult, PcmBlock, PcmFormat } from '@earshot/engine';
import { endSideProcess, type SideProcess, sendTo } from '../../platform/side-process.ts';
import type { EnginePool } from './engine-pool.ts';
import type { FromEngine, ToEngine } from './engine-process.ts';

/** Blocks on their way to the engine: enough that it never waits, few enough that memory stays small. */
const BLOCKS_IN_FLIGHT_MAX = 4;

export type EngineRun = {
  format: PcmFormat;
  blocks: AsyncIterable<PcmBlock>;
  options: AnalysisOptions;
  taggers: boolean;
  signal: AbortSignal;
  onProgress: (stage: string, fraction: number) => void;
};

/** A longer recording leaves so much memory behind that its process goes with it. */
const KEPT_AFTER_SECONDS_MAX = 20 * 60;

/** Runs the engine on a stream of blocks in a process that has nothing else to do, and that ends unless all went well. */
export async function runEngine(engines: EnginePool, run: EngineRun): Promise<AnalysisResult> {
  run.signal.throwIfAborted();
  const engine = engines.acquire();
  const { promise: broken, reject: breakOff } = rejectable();
  const onAbort = () => breakOff(run.signal.reason);
  const onExit = (code: number | null, signal: string | null) =>
    breakOff(new Error(`The engine ended with ${signal ?? `code ${code}`}`));
  run.signal.addEventListener('abort', onAbort, { once: true });
  engine.once('error', breakOff).once('exit', onExit);
  let ended: Fed | null = null;
  try {
    ended = await Promise.race([feed(engine, run, breakOff), broken]);
    return ended.result;
  } finally {
    run.signal.removeEventListener('abort', onAbort);
    engine.removeAllListeners('message');
    engine.off('error', breakOff).off('exit', onExit);
    if (ended && ended.audioSeconds <= KEPT_AFTER_SECONDS_MAX) engines.release(engine);
    else await endSideProcess(engine);
  }
}

type Fed = { result: AnalysisResult; audioSeconds: number };

async function feed(engine: SideProcess, run: EngineRun, breakOff: (reason: unknown) => void): Promise<Fed> {
  let samples = 0;
  let inFlight = 0;
  let wake = () => {};
  run.signal.addEventListener('abort', () => wake(), { once: true });
  const result = new Promise<AnalysisResult>((resolve) => {
    engine.on('message', (message: FromEngine) => {
      if (message.kind === 'progress') run.onProgress(message.stage, message.fraction);
      else if (message.kind === 'result') resolve(message.result);
      else if (message.kind === 'broken') breakOff(message.error);
      else {
        inFlight -= 1;
        wake();
      }
    });
  });
  send(engine, { kind: 'start', format: run.format, options: run.options, taggers: run.taggers });
  for await (const block of run.blocks) {
    if (run.signal.aborted) break;
    samples += block.channels[0]?.length ?? 0;
    send(engine, { kind: 'block', channels: block.channels });
    inFlight += 1;
    while (inFlight >= BLOCKS_IN_FLIGHT_MAX && !run.signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  send(engine, { kind: 'finish' });
  return { result: await result, audioSeconds: samples / run.format.sampleRateHz };
}

const send = (engine: SideProcess, message: ToEngine) => sendTo(engine, message);

/** A promise that can only be rejected, and that nobody has to wait for. */
function rejectable(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<never>((_, onReject) => {
    reject = onReject;
  });
  promise.catch(() => {});
  return { promise, reject };
}
