/**
 * Bundles every program into its workspace's dist/. Our own packages are inlined from their TypeScript source. Third-party packages, except
 * those of INLINED, stay external, so that licences, native files and wasm stay where npm put them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { CODE_SHAPE, escapeCode, starterOf, writeCodeCache } from './code-cache.mjs';
import { isUpToDate, readOnce, recordBuild } from './up-to-date.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Source → program. */
const PROGRAMS = {
  'decode/src/child.ts': 'decode/dist/child.cjs',
  'server/src/main.ts': 'server/dist/earshot.js',
  'server/src/doctor/doctor.ts': 'server/dist/doctor.js',
  'server/src/analyses/attempt/engine-process.ts': 'server/dist/engine-process.js',
  'server/src/analyses/report/pdf-process.ts': 'server/dist/pdf-process.js',
  'contract/src/write-documents.ts': 'contract/dist/write-documents.js',
  'cli/src/main.ts': 'cli/dist/earshot.cjs',
  'mcp/src/main.ts': 'mcp/dist/main.js',
  'evaluation/src/evaluate.ts': 'evaluation/dist/evaluate.js',
  'evaluation/src/bench.ts': 'evaluation/dist/bench.js',
  'evaluation/src/same-results.ts': 'evaluation/dist/same-results.js',
  'evaluation/src/loudness-sequences.ts': 'evaluation/dist/loudness-sequences.js',
  'evaluation/src/write-accuracy-page.ts': 'evaluation/dist/write-accuracy-page.js',
  'reliability/src/main.ts': 'reliability/dist/reliability.js',
  'server/bench/jobs.ts': 'server/dist/bench-jobs.js',
  'server/bench/library.ts': 'server/dist/bench-library.js',
  'server/bench/anonymous-requests.ts': 'server/dist/bench-anonymous.js',
  'server/bench/service.ts': 'server/dist/bench-service.js',
  // Processes that tests start and kill.
  'decode/src/test/programs/abandon-child.ts': 'decode/dist/test/abandon-child.js',
  'decode/src/test/programs/hostile.ts': 'decode/dist/test/hostile.js',
  'server/src/test/programs/use-postgres.ts': 'server/dist/test/use-postgres.js',
  'server/src/test/programs/work-jobs.ts': 'server/dist/test/work-jobs.js',
};

/**
 * Third-party packages that are bundled, with their dependencies. A decoder starts for every song, and would each time resolve the many
 * files of its tag reader. All of them are under MIT or BSD licences; their notices stay in node_modules.
 */
const INLINED = { 'decode/src/child.ts': ['music-metadata', 'strtok3', 'strtok3/core'] };

/**
 * Replacements for packages that an inlined one imports. Debug output of a decoder is never read. The type of a file is needed only for
 * cover art that does not declare its own; the real package is loaded then.
 */
const REPLACED = {
  debug: 'const off = () => {}; off.enabled = false; export default () => off;',
  'file-type':
    "export const fileTypeFromBuffer = async (...args) => (await import('file-type')).fileTypeFromBuffer(...args);",
};

/** Programs that start for every song run from a code cache (code-cache.mjs). */
const isStartedOften = (program) => extname(program) === '.cjs';

/** Code of another build is removed only once it is an hour old: that build, or a program that starts, may be about to read it. */
const OLD_CODE_MS = 3_600_000;

/** Marks every package as external that is neither ours nor inlined. */
const thirdPartyOutside = (inlined) => ({
  name: 'third-party-outside',
  setup(context) {
    context.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind, namespace, resolveDir }) => {
      const isInlined = importer.includes('/node_modules/') || namespace === 'replaced';
      if (isInlined && kind === 'import-statement' && path in REPLACED)
        return { path, namespace: 'replaced', pluginData: { resolveDir } };
      return path.startsWith('@earshot/') || inlined.includes(path) || isInlined
        ? null
        : { path, external: true };
    });
    context.onLoad({ filter: /^/, namespace: 'replaced' }, ({ path, pluginData: { resolveDir } }) => ({
      contents: REPLACED[path],
      resolveDir,
    }));
  },
});

/** Sources of every bundle in addition to its imports: the build itself, and the versions of inlined packages. */
const ALWAYS_SOURCES = [
  'scripts/build.mjs',
  'scripts/code-cache.mjs',
  'scripts/up-to-date.mjs',
  'package-lock.json',
];
const nameOf = (program) => basename(program, extname(program));
const recordOf = (program) => `${dirname(program)}/.built/${nameOf(program)}.json`;

/**
 * Builds what is not up to date and returns the failures; a program that fails leaves no old bundle behind. `log` is called with what is
 * about to be built.
 */
export async function buildAll(log = () => {}) {
  const reading = readOnce();
  const programs = Object.entries(PROGRAMS).filter(
    ([source, program]) =>
      existsSync(join(root, source)) && !isUpToDate(recordOf(program), ALWAYS_SOURCES, reading),
  );
  if (programs.length > 0)
    log(
      `Building ${programs.length} of ${Object.keys(PROGRAMS).length} programs of the service and its tools`,
    );
  const outcomes = await Promise.allSettled(
    programs.map(([source, program]) => buildProgram(source, program, reading)),
  );
  const failures = outcomes.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  // Only after all are built, because one of them starts another.
  for (const program of Object.values(PROGRAMS).filter(isStartedOften)) {
    if (existsSync(join(root, program))) failures.push(...writeCodeCache(join(root, program)));
  }
  return failures;
}

/**
 * Puts the versions of external packages into the bundle as a hash, so that comparing two bundles is enough to tell whether their output
 * can differ (server/src/analyses/report/pdf-writer.ts).
 */
function lockedPackages() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `// package-lock.json ${createHash('sha256').update(lock).digest('hex')}`;
}

async function buildProgram(source, program, reading) {
  try {
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: [{ in: source, out: nameOf(program) }],
      outdir: dirname(program),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      ...(isStartedOften(program) ? CODE_SHAPE : { banner: { js: lockedPackages() } }),
      sourcemap: true,
      logLevel: 'silent',
      plugins: [thirdPartyOutside(INLINED[source] ?? [])],
      write: false,
      metafile: true,
    });
    const files = outputFiles.map(({ path, contents }) => ({ path, contents }));
    if (isStartedOften(program)) {
      const code = files.find((file) => file.path.endsWith('.cjs'));
      code.contents = escapeCode(Buffer.from(code.contents).toString());
      files.push({ path: join(root, program), contents: starterOf(basename(code.path)) });
    }
    await mkdir(dirname(join(root, program)), { recursive: true });
    // Renamed into place, so that a process starting at this moment gets a complete file, old or new.
    for (const { path, contents } of files) {
      await writeFile(`${path}.${process.pid}`, contents);
      await rename(`${path}.${process.pid}`, path);
    }
    const outputs = files.map(({ path }) => relative(root, path));
    if (isStartedOften(program)) await removeOldCode(program, outputs);
    // Inputs with a namespace, such as replaced packages, are not files.
    const sources = Object.keys(metafile.inputs).filter((file) => !file.includes(':'));
    await recordBuild(recordOf(program), { sources: [...ALWAYS_SOURCES, ...sources], outputs }, reading);
  } catch (error) {
    await rm(join(root, program), { force: true });
    throw error;
  }
}

async function removeOldCode(program, outputs) {
  const folder = dirname(join(root, program));
  const current = new Set(outputs.map((path) => basename(path)));
  const isCode = new RegExp(`^${nameOf(program)}-[A-Z0-9]{8}\\.`);
  for (const name of await readdir(folder)) {
    if (!isCode.test(name) || current.has(name)) continue;
    const path = join(folder, name);
    // A concurrent build may have removed it.
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > OLD_CODE_MS) await rm(path, { force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const failures = await buildAll(console.error);
  for (const failure of failures) console.error(failure.message);
  process.exitCode = failures.length > 0 ? 1 : 0;
}
