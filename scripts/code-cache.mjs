/**
 * Programs that start for every song are started from what V8 has compiled before: reading and compiling their code is a fifth of the
 * processor time of a short song.
 *
 * Such a program is three files: its code, which is one script; what V8 made of it while it heard the sample song once, in the build; and the few
 * lines that start the one with the other. V8 takes only what it made itself, of its own version, with the same flags, from a source of the same
 * length (so the name of the code has its hash); else, and where there is no cache, it compiles as ever.
 *
 * Run as a program, `node scripts/code-cache.mjs STARTER ARGUMENTS...` writes the cache of one.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const ownPath = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
const SAMPLE = join(root, 'examples/sample-song/two-doors-down.mp3');

/** The arguments of each for the song. The decoder reads it from descriptor 3, as ever. */
const REHEARSALS = {
  'child.cjs': [],
  'earshot.cjs': ['analyze', '--json', '--no-progress', SAMPLE],
};

/** For esbuild: a function that Node's own wrapper would be. Half the bytes are read; names stay, lines stay short enough to print. */
export const CODE_SHAPE = {
  format: 'cjs',
  entryNames: '[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  banner: { js: '(function (require, __filename) {' },
  footer: { js: '})' },
  define: { 'import.meta.url': '__filename' },
  // What a cached function imports, Node does not find; what it requires, it does.
  supported: { 'dynamic-import': false },
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
};

/** The lines that start a program whose code is in the file of that name beside them. */
export function starterOf(codeName) {
  return `const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const filename = \`\${__dirname}/${codeName}\`;
const cache = \`\${filename}.\${process.version}.cache\`;
let cachedData;
try {
  cachedData = readFileSync(cache);
} catch {}
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
module.exports = { cache, isFromCache: script.cachedDataRejected === false, createCachedData: () => script.createCachedData() };
script.runInThisContext()(require, filename);
`;
}

/** Where the cache of a built program lies for this Node. */
function cacheOf(starter) {
  const [, codeName] = /\/(\S+-[A-Z0-9]{8}\.cjs)`/.exec(readFileSync(starter, 'utf8'));
  return join(dirname(starter), `${codeName}.${process.version}.cache`);
}

/** Writes the cache of a program, unless it is there; answers with the failures. */
export function writeCodeCache(starter) {
  if (existsSync(cacheOf(starter))) return [];
  const song = openSync(SAMPLE, 'r');
  const { status, stderr } = spawnSync(
    process.execPath,
    [ownPath, starter, ...REHEARSALS[basename(starter)]],
    {
      stdio: ['ignore', 'ignore', 'pipe', song],
      encoding: 'utf8',
    },
  );
  closeSync(song);
  return status === 0 ? [] : [new Error(`${starter} has no code cache: ${stderr}`)];
}

/** In a process of its own, started as the program is. */
function rehearse(starter, args) {
  // Flags that the program sets itself come after its code is compiled, and are no part of what V8 compares.
  v8.setFlagsFromString = () => {};
  process.argv = [process.execPath, starter, ...args];
  process.on('exit', (status) => {
    if (status !== 0) return;
    const { cache, createCachedData } = require(starter);
    writeFileSync(`${cache}.${process.pid}`, createCachedData());
    renameSync(`${cache}.${process.pid}`, cache);
  });
  require(starter);
}

if (process.argv[1] === ownPath) rehearse(process.argv[2], process.argv.slice(3));
