import { endSideProcess, holdOpen, type SideProcess, startSideProcess } from '../../platform/side-process.ts';

/**
 * Processes that have analysed a song and wait for the next one. A new one spends a third of a short song's time on
 * compiling what the last one had compiled already. There are never more than were needed at once, and one that is idle
 * for a minute ends, which gives its memory back.
 */
export type EnginePool = {
  acquire(): SideProcess;
  /** Only of an engine that has answered, with the caller's listeners removed: it is clean enough for the next song. */
  release(engine: SideProcess): void;
};

const IDLE_MS_MAX = 60_000;

export function createEnginePool(
  start: () => SideProcess = () => startSideProcess('engine-process.js'),
  idleMsMax = IDLE_MS_MAX,
): EnginePool {
  /** Each with what takes it out. */
  const idle = new Map<SideProcess, () => void>();
  return {
    acquire() {
      // The newest, so that the others become idle, however few songs come.
      const newest = [...idle].at(-1);
      if (!newest) return start();
      const [engine, takeOut] = newest;
      takeOut();
      holdOpen(engine, true);
      return engine;
    },
    release(engine) {
      const end = () => {
        takeOut();
        void endSideProcess(engine);
      };
      const timer = setTimeout(end, idleMsMax).unref();
      const takeOut = () => {
        clearTimeout(timer);
        engine.off('error', end).off('exit', end);
        idle.delete(engine);
      };
      engine.once('error', end).once('exit', end);
      idle.set(engine, takeOut);
      // An idle one must not keep a stopping process alive.
      holdOpen(engine, false);
    },
  };
}
