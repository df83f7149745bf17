/**
 * Several songs on this machine at once, each in a process with an engine of its own. Not in threads, for the reason that
 * server/src/platform/side-process.ts has.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { type AnalysisHints, ParameterError } from '@earshot/engine';
import { songOf } from './analyse-here.ts';
import { ENGINE_COMMAND } from './engine-command.ts';
import type { FromEngine, ToEngine } from './engine-process.ts';
import { type Analyser, SongFailed } from './song.ts';

export type EngineProcesses = {
  /** As many engines are started as songs are asked for at one time. */
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
      // One that broke is not asked again.
      if (answer.kind === 'broken') throw answer.error;
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

function ask(engine: ChildProcess, order: ToEngine, onProgress: (fraction: number) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const take = (answer: FromEngine): void => {
      if (answer.kind === 'progress') onProgress(answer.fraction);
      else {
        leave();
        resolve(answer);
      }
    };
    const fail = (why: unknown, signal?: NodeJS.Signals): void => {
      leave();
      reject(why instanceof Error ? why : new Error(`An engine ended before its song: ${signal ?? why}`));
    };
    const leave = (): void => {
      engine.off('message', take).off('error', fail).off('exit', fail);
    };
    engine.on('message', take).once('error', fail).once('exit', fail);
    engine.send(order);
  });
}
