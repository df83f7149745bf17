/**
 * Loaded into a process to learn its own processor time: writes the seconds to file descriptor 3 when the process exits. From
 * outside, the time of its children is in the same sum.
 */
const { writeSync } = require('node:fs');

process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, String((user + system) / 1e6));
});
