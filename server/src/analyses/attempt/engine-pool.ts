import { endSideProcess, holdOpen, type SideProcess, startSideProcess } from '../../platform/side-process.ts';

/**
 * Keeps engine processes for the next song: a fresh process first compiles what a used one has compiled already, which costs a larger
 * share the shorter the song (docs/benchmarks.md). A process that is idle for a minute ends, which frees its memory.
 */
export type EnginePool = {
  acquire(): SideProcess;
  /** Only for an engine that has answered, and whose listeners the caller has removed. */
  release(engine: SideProcess): void;
};

const IDLE_MS_MAX = 60_000;

export function createEnginePool(
  start: () => SideProcess = () => startSideProcess('engine-process.js'),
  idleMsMax = IDLE_MS_MAX,
): EnginePool {
  /** Each idle engine, with the function that removes it from here. */
  const idle = new Map<SideProcess, () => void>();
  return {
    acquire() {
      // The last one used, so that under light load the others reach the idle limit.
      const last = [...idle].at(-1);
      if (!last) return start();
      const [engine, remove] = last;
      remove();
      holdOpen(engine, true);
      return engine;
    },
    release(engine) {
      const end = () => {
        remove();
        void endSideProcess(engine);
      };
      const timer = setTimeout(end, idleMsMax).unref();
      const remove = () => {
        clearTimeout(timer);
        engine.off('error', end).off('exit', end);
        idle.delete(engine);
      };
      engine.once('error', end).once('exit', end);
      idle.set(engine, remove);
      // An idle engine must not keep a stopping worker alive.
      holdOpen(engine, false);
    },
  };
}
