/**
 * Loaded into a command line whose processor time is measured. It kills a decoder as soon as it has its last block; Linux counts the time of a
 * process for its parent only when that waits for it, and the guard that started it, killed too, did not: seconds of decoding were counted or
 * not, by chance. Here the decoder, which is at its end, may end by itself first.
 */
const { readFileSync } = require('node:fs');

/** A decoder that does not end is killed all the same. */
const PATIENCE_MS = 1000;
const asleep = new Int32Array(new SharedArrayBuffer(4));
const kill = process.kill.bind(process);

process.kill = (pid, signal) => {
  const untilMs = Date.now() + PATIENCE_MS;
  while (signal === 'SIGKILL' && Date.now() < untilMs) {
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
