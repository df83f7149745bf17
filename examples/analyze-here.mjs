/** Results of files and folders from the command line: `earshot analyze --json`, which prints one line per song. */
import { constants } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeCrate } from './small-songs.mjs';

const earshot = fileURLToPath(new URL('../cli/bin/earshot.mjs', import.meta.url));

/** Returns `[{ path, result }]`. Files that cannot be analysed are reported on standard error and left out. */
export function analyzeHere(paths) {
  const { stdout, stderr, error } = spawnSync(process.execPath, [earshot, 'analyze', '--json', ...paths], {
    encoding: 'utf8',
    // Node's default of a megabyte holds the results of a few songs. A string cannot be longer than this.
    maxBuffer: constants.MAX_STRING_LENGTH,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error) throw error;
  if (stdout === '') throw new Error(stderr);
  // The command warns of files and folders that it skips.
  if (stderr !== '') console.error(stderr.trimEnd());
  // A single song is printed as one indented document.
  const lines = stdout.startsWith('{\n')
    ? [singleSong(paths[0], JSON.parse(stdout))]
    : stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
  for (const line of lines) if (line.error) console.error(`${line.path}: ${line.error}`);
  return lines.filter((line) => line.result);
}

/** A single song is printed without its path. In a folder, it is the file whose hash is in the result. */
function singleSong(path, result) {
  if (statSync(path).isFile()) return { path, result };
  const entries = readdirSync(path, { recursive: true }).map((name) => join(path, name));
  return { path: entries.find((entry) => sha256Of(entry) === result.file.sha256), result };
}

/** Null for what the command skips too: a folder, a broken link, a file that cannot be read. */
function sha256Of(path) {
  try {
    if (!statSync(path).isFile()) return null;
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return null;
  }
}

/** The same for one folder; without one, for a crate that is synthesised and then deleted. */
export function analyzeFolder(folder) {
  if (folder !== undefined) return analyzeHere([folder]);
  const crate = mkdtempSync(join(tmpdir(), 'earshot-crate-'));
  try {
    return analyzeHere(writeCrate(crate));
  } finally {
    rmSync(crate, { recursive: true });
  }
}
