/** Several songs on this machine at once, an engine for each in a thread of its own. */

import { on } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { AnalysisHints } from '@earshot/engine';
import { songOf } from './analyse-here.ts';
import type { FromThread, ToThread } from './analysis-thread.ts';
import { type Analyser, SongFailed } from './song.ts';

export type AnalysisThreads = {
  /** As many threads are started as songs are asked for at one time. */
  analyse: Analyser;
  close(): Promise<void>;
};

export function createAnalysisThreads(hints: AnalysisHints): AnalysisThreads {
  // Beside the program, in the checkout and in the package.
  const program = createRequire(import.meta.url).resolve('./analysis-thread.js');
  const threads: Worker[] = [];
  const idle: Worker[] = [];
  const start = (): Worker => {
    const thread = new Worker(program, { workerData: { hints } });
    threads.push(thread);
    return thread;
  };
  return {
    async analyse(path, onProgress) {
      const thread = idle.pop() ?? start();
      const answer = await ask(thread, { path }, onProgress);
      // One that broke is not asked again.
      if (answer.kind === 'broken') throw answer.error;
      idle.push(thread);
      if (answer.kind === 'failed') throw new SongFailed(answer.message);
      return songOf(path, answer.source);
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

type Answer = Exclude<FromThread, { kind: 'progress' }>;

async function ask(thread: Worker, order: ToThread, onProgress: (fraction: number) => void): Promise<Answer> {
  thread.postMessage(order);
  // What the thread throws outside of an analysis, want of memory above all, is thrown here.
  for await (const [message] of on(thread, 'message', { close: ['exit'] })) {
    const answer: FromThread = message;
    if (answer.kind !== 'progress') return answer;
    onProgress(answer.fraction);
  }
  throw new Error('A thread ended before its song was done');
}
