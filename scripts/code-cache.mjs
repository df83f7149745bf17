/**
 * Starts the programs that run once per song from V8's code cache: without it, reading and compiling their code is a good part of the time
 * of a short song (docs/benchmarks.md).
 *
 * Such a program consists of three files: its code, as a single script; the cache, which V8 produces while the build runs the program on
 * the sample song; and a short starter that combines the two. V8 rejects a cache from another version, other flags or a source of another
 * length, which is why the name of the code contains its hash. Without a valid cache it compiles as usual.
 *
 * `node scripts/code-cache.mjs STARTER ARGUMENTS...` writes the cache of one program.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const ownPath = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
const SAMPLE = join(root, 'examples/sample-song/two-doors-down.mp3');

/** The arguments that make each program process the song. The decoder reads it from descriptor 3, as always. */
const WARM_UP_ARGUMENTS = {
  'child.cjs': [],
  'earshot.cjs': ['analyze', '--json', '--no-progress', SAMPLE],
};

/** Options for esbuild: the code is wrapped as Node would wrap a module. Names are kept, and lines stay short enough for stack traces. */
export const CODE_SHAPE = {
  format: 'cjs',
  entryNames: '[name]-[hash]',
  outExtension: { '.js': '.cjs' },
  banner: { js: '(function (require, __filename) {' },
  footer: { js: '})' },
  define: { 'import.meta.url': '__filename' },
  // Node cannot resolve import() in a cached script, but require() works.
  supported: { 'dynamic-import': false },
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
};

/**
 * The starter reads one byte per character, which is faster than decoding UTF-8. esbuild escapes other characters in strings, but leaves
 * them in regular expressions.
 */
export function escapeCode(code) {
  return code.replace(/\\?[\u0080-\uffff]|\\./g, (found) => {
    const unit = found.charCodeAt(found.length - 1);
    return unit < 0x80 ? found : `\\u${unit.toString(16).padStart(4, '0')}`;
  });
}

/** The starter of a program whose code is in this file next to it. */
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

/** Whether a built program has a cache for this version of Node, written after its code. */
function hasCache(starter) {
  const [, codeName] = /\/(\S+-[A-Z0-9]{8}\.cjs)`/.exec(readFileSync(starter, 'utf8'));
  const code = join(dirname(starter), codeName);
  const cache = `${code}.${process.version}.cache`;
  return existsSync(cache) && statSync(cache).mtimeMs >= statSync(code).mtimeMs;
}

/** Writes the cache of a program unless it has one; returns the failures. */
export function writeCodeCache(starter) {
  if (hasCache(starter)) return [];
  const song = openSync(SAMPLE, 'r');
  const { status, stderr } = spawnSync(
    process.execPath,
    [ownPath, starter, ...WARM_UP_ARGUMENTS[basename(starter)]],
    {
      stdio: ['ignore', 'ignore', 'pipe', song],
      encoding: 'utf8',
    },
  );
  closeSync(song);
  return status === 0 ? [] : [new Error(`${starter} has no code cache: ${stderr}`)];
}

/** Runs in a separate process, started the same way as the program. */
function warmUp(starter, args) {
  // The program sets its flags after its code has been compiled; if they applied here, V8 would record them in the cache and reject it at
  // the next start.
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

if (process.argv[1] === ownPath) warmUp(process.argv[2], process.argv.slice(3));
