import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Forces garbage collections while `work` runs. On Node 20, a signal made with AbortSignal.any and AbortSignal.timeout is lost at the first
 * one, and its deadline with it.
 */
export async function whileCollecting(work) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  // Not more often, because each stops the process for tens of milliseconds.
  const timer = setInterval(collect, 100);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
