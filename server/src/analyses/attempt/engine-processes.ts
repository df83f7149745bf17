import { endSideProcess, holdOpen, type SideProcess, startSideProcess } from '../../platform/side-process.ts';

/**
 * Processes that have analysed a song and wait for the next one. A new one spends a third of a short song's time on
 * compiling what the last one had compiled already. There are never more than were needed at once, and a quiet
 * minute gives their memory back.
 */
export type EngineProcesses = {
  take(): SideProcess;
  /** Only one that has answered is clean enough for the next song; nobody may be listening to it any more. */
  keep(engine: SideProcess): void;
};

const IDLE_MS_MAX = 60_000;

/**
 * Used blocks of samples are freed when the young generation is full, and V8 counts their bytes in proportion to its size:
 * a small one keeps tens of megabytes of spent audio from piling up (measured: 40 MB less on half an hour).
 */
const V8_OPTIONS = ['--max-semi-space-size=1'];

export function createEngineProcesses(): EngineProcesses {
  const idle = new Map<SideProcess, { leave: () => void }>();
  return {
    take() {
      const [waiting] = idle;
      if (!waiting) return startSideProcess('engine-process.js', V8_OPTIONS);
      const [engine, { leave }] = waiting;
      leave();
      holdOpen(engine, true);
      return engine;
    },
    keep(engine) {
      const end = () => {
        leave();
        void endSideProcess(engine);
      };
      const timer = setTimeout(end, IDLE_MS_MAX).unref();
      const leave = () => {
        clearTimeout(timer);
        engine.off('error', end).off('exit', end);
        idle.delete(engine);
      };
      engine.once('error', end).once('exit', end);
      idle.set(engine, { leave });
      // An idle one must not keep a stopping process alive.
      holdOpen(engine, false);
    },
  };
}
