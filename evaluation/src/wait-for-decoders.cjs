/**
 * Preloaded into a command line whose processor time is measured. The command line kills its decoder, and the guard process that
 * started it, as soon as it has the last block of samples. Linux adds the time of a process to its parent's only when the parent waits
 * for it, and a killed guard may not have waited: whether seconds of decoding were counted was a matter of chance. So a kill first
 * waits for the decoder, which has nothing left to do, to exit by itself.
 */
const { readFileSync } = require('node:fs');

/** Far longer than a finished decoder takes to exit. One that does not exit in time is killed. */
const EXIT_WAIT_MS_MAX = 1000;
const sleepCell = new Int32Array(new SharedArrayBuffer(4));
const kill = process.kill.bind(process);

process.kill = (pid, signal) => {
  const deadlineMs = Date.now() + EXIT_WAIT_MS_MAX;
  while (signal === 'SIGKILL' && Date.now() < deadlineMs) {
    if (hasExited(Math.abs(pid))) return true;
    Atomics.wait(sleepCell, 0, 0, 1);
  }
  return kill(pid, signal);
};

function hasExited(pid) {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}
