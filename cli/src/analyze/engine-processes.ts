/**
 * Analyses several songs at once on this machine, each in its own engine process. Processes rather than threads, for the reason
 * given in server/src/platform/side-process.ts.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { type AnalysisHints, ParameterError } from '@earshot/engine';
import { songOf } from './analyse-here.ts';
import { ENGINE_COMMAND } from './engine-command.ts';
import type { FromEngine, ToEngine } from './engine-process.ts';
import { type Analyser, SongFailed } from './song.ts';

export type EngineProcesses = {
  /** Starts another engine when all are busy. */
  analyse: Analyser;
  close(): void;
};

export function createEngineProcesses(hints: AnalysisHints): EngineProcesses {
  const engines: ChildProcess[] = [];
  const idle: ChildProcess[] = [];
  const start = (): ChildProcess => {
    const engine = fork(process.argv[1]!, [ENGINE_COMMAND], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    engines.push(engine);
    return engine;
  };
  return {
    async analyse(path, onProgress) {
      const engine = idle.pop() ?? start();
      const answer = await ask(engine, { path, hints }, onProgress);
      // An engine that reported a bug is not used again.
      if (answer.kind === 'broken') throw Object.assign(answer.error as Error, answer.systemFields);
      idle.push(engine);
      if (answer.kind === 'hints_refused') throw new ParameterError(answer.message);
      if (answer.kind === 'failed') throw new SongFailed(answer.message);
      return songOf(path, answer.source);
    },
    close() {
      for (const engine of engines) if (engine.connected) engine.disconnect();
    },
  };
}

type Answer = Exclude<FromEngine, { kind: 'progress' }>;

function ask(
  engine: ChildProcess,
  request: ToEngine,
  onProgress: (fraction: number) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: FromEngine): void => {
      if (answer.kind === 'progress') onProgress(answer.fraction);
      else {
        stopListening();
        resolve(answer);
      }
    };
    const onEnd = (why: unknown, signal?: NodeJS.Signals): void => {
      stopListening();
      reject(
        why instanceof Error ? why : new Error(`An engine process ended during a song: ${signal ?? why}`),
      );
    };
    const stopListening = (): void => {
      engine.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    };
    engine.on('message', onMessage).once('error', onEnd).once('exit', onEnd);
    engine.send(request);
  });
}
