/**
 * Loaded into a command line whose processor time is measured. The command line kills its decoder as soon as it has the last block of
 * samples, together with the guard process that started it. Linux adds the time of a process to its parent's only when the parent
 * waits for it, and a killed guard may not have waited: seconds of decoding were counted or lost by chance. Here a kill first gives
 * the decoder, which has nothing left to do, time to end by itself.
 */
const { readFileSync } = require('node:fs');

/** Chosen: far longer than a finished decoder takes to end. One that does not end in time is killed. */
const PATIENCE_MS = 1000;
const asleep = new Int32Array(new SharedArrayBuffer(4));
const kill = process.kill.bind(process);

process.kill = (pid, signal) => {
  const deadlineMs = Date.now() + PATIENCE_MS;
  while (signal === 'SIGKILL' && Date.now() < deadlineMs) {
    if (hasEnded(Math.abs(pid))) return true;
    Atomics.wait(asleep, 0, 0, 1);
  }
  return kill(pid, signal);
};

function hasEnded(pid) {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}
