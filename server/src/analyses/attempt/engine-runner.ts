import { DecodeError } from '@earshot/decode';
import { endSideProcess, type SideProcess, sendTo } from '../../platform/side-process.ts';
import type { EnginePool } from './engine-pool.ts';
import type { FromEngine, HeardFile, ToEngine } from './engine-process.ts';

type Progress = Extract<FromEngine, { kind: 'progress' }>;
type Answer = Exclude<FromEngine, Progress>;

export type EngineRun = ToEngine & {
  signal: AbortSignal;
  onProgress: (progress: Omit<Progress, 'kind'>) => void;
};

/**
 * Decodes and hears a file in a process that has nothing else to do. It ends unless it answered well, and takes its decoder with it. Throws
 * a DecodeError where it is the file's fault.
 */
export async function runEngine(
  engines: EnginePool,
  { signal, onProgress, ...order }: EngineRun,
): Promise<HeardFile> {
  signal.throwIfAborted();
  const engine = engines.acquire();
  let answer: Answer | null = null;
  try {
    answer = await ask(engine, order, { signal, onProgress });
  } finally {
    if (answer && answer.kind !== 'broken' && !answer.isSpent) engines.release(engine);
    else await endSideProcess(engine);
  }
  if (answer.kind === 'broken') throw answer.error;
  if (answer.kind === 'undecodable') {
    const { code, message, cause } = answer;
    throw new DecodeError(code, message, { cause });
  }
  return answer;
}

function ask(
  engine: SideProcess,
  order: ToEngine,
  { signal, onProgress }: Pick<EngineRun, 'signal' | 'onProgress'>,
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const onMessage = (message: FromEngine) => {
      if (message.kind === 'progress') onProgress(message);
      else end(() => resolve(message));
    };
    const onError = (error: Error) => end(() => reject(error));
    const onExit = (code: number | null, killedBy: string | null) =>
      end(() => reject(new Error(`The engine ended with ${killedBy ?? `code ${code}`}`)));
    const onAbort = () => end(() => reject(signal.reason));
    const end = (settle: () => void) => {
      engine.off('message', onMessage).off('error', onError).off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    engine.on('message', onMessage).once('error', onError).once('exit', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    sendTo(engine, order);
  });
}
