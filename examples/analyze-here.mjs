/** Asks the command line for the results of some files or folders: `earshot analyze --json`, one line for each song. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const earshot = fileURLToPath(new URL('../cli/bin/earshot.mjs', import.meta.url));

/** `[{ path, result }]`; a file that is no audio has `error` instead of `result`, and is told about and left out. */
export function analyzeHere(paths) {
  const { stdout, stderr, error } = spawnSync(process.execPath, [earshot, 'analyze', '--json', ...paths], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error) throw error;
  if (stdout === '') throw new Error(stderr);
  // One song is printed for people, several as a line each.
  const lines = stdout.startsWith('{\n')
    ? [{ path: paths[0], result: JSON.parse(stdout) }]
    : stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
  for (const line of lines) if (line.error) console.error(`${line.path}: ${line.error}`);
  return lines.filter((line) => line.result);
}
