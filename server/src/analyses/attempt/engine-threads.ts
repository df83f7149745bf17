import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SERVER_ROOT } from '../../platform/server-root.ts';

/**
 * Threads that have analysed a song and wait for the next one. A new thread spends a third of a short song's time on
 * compiling what the last one had compiled already. There are never more than were needed at once, and a quiet
 * minute gives their memory back.
 */
export type EngineThreads = {
  take(): Worker;
  /** Only a thread that has answered is clean enough for the next song; nobody may be listening to it any more. */
  keep(thread: Worker): void;
};

const IDLE_MS_MAX = 60_000;

/**
 * Used blocks of samples are freed when the young generation is full, and V8 counts their bytes in proportion to its size:
 * a small one keeps tens of megabytes of spent audio from piling up (measured: 40 MB less on half an hour).
 */
const YOUNG_GENERATION_MB = 3;

export function createEngineThreads(): EngineThreads {
  const idle = new Map<Worker, { leave: () => void }>();
  return {
    take() {
      const [waiting] = idle;
      if (!waiting) return startThread();
      const [thread, { leave }] = waiting;
      leave();
      thread.ref();
      return thread;
    },
    keep(thread) {
      const end = () => {
        leave();
        void thread.terminate();
      };
      const timer = setTimeout(end, IDLE_MS_MAX).unref();
      const leave = () => {
        clearTimeout(timer);
        thread.off('error', end).off('exit', end);
        idle.delete(thread);
      };
      thread.once('error', end).once('exit', end);
      idle.set(thread, { leave });
      // An idle thread must not keep a stopping process alive.
      thread.unref();
    },
  };
}

function startThread(): Worker {
  const thread = new Worker(join(SERVER_ROOT, 'dist', 'engine-thread.js'), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  // Whoever waits for it hears of its failure; one that comes when nobody waits any more must not end the process.
  return thread.on('error', () => {});
}
