import { DecodeError } from '@earshot/decode';
import { endSideProcess, type SideProcess, sendTo } from '../../platform/side-process.ts';
import type { EnginePool } from './engine-pool.ts';
import type { AnalysedFile, EngineMessage, EngineRequest } from './engine-process.ts';

type Progress = Extract<EngineMessage, { kind: 'progress' }>;
type Answer = Exclude<EngineMessage, Progress>;

export type EngineRun = EngineRequest & {
  signal: AbortSignal;
  onProgress: (progress: Omit<Progress, 'kind'>) => void;
};

/**
 * Decodes and analyses a file in an engine process. The process is ended, with its decoder, unless it answered and can take
 * another file. Throws a DecodeError when the file cannot be decoded.
 */
export async function runEngine(
  engines: EnginePool,
  { signal, onProgress, ...request }: EngineRun,
): Promise<AnalysedFile> {
  signal.throwIfAborted();
  const engine = engines.acquire();
  let answer: Answer | null = null;
  try {
    answer = await send(engine, request, { signal, onProgress });
  } finally {
    if (answer && answer.kind !== 'failed' && !answer.isSpent) engines.release(engine);
    else await endSideProcess(engine);
  }
  if (answer.kind === 'failed') throw answer.error;
  if (answer.kind === 'undecodable') {
    const { code, message, cause } = answer;
    throw new DecodeError(code, message, { cause });
  }
  return answer;
}

function send(
  engine: SideProcess,
  request: EngineRequest,
  { signal, onProgress }: Pick<EngineRun, 'signal' | 'onProgress'>,
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const onMessage = (message: EngineMessage) => {
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
    sendTo(engine, request);
  });
}
