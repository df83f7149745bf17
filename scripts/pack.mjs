/**
 * Builds the packages to be published: each is staged in dist/packages/NAME with its bundles, its types and its own package.json, and
 * packed next to it. Inside the workspace, `exports` names TypeScript sources; in the package, each of them is a bundle in dist/
 * (docs/adr/0010-packages-are-staged.md).
 *
 *   node scripts/pack.mjs
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildAll } from './build.mjs';
import { CLIENT_MINOR_VERSION_MIN, findPython } from './python-environment.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const TSC = join(root, 'node_modules/typescript-native/bin/tsc');

/** Workspace folders, dependencies first. */
const PUBLISHED = ['engine', 'decode', 'sdk', 'mcp', 'cli'];
/** The repository itself is called earshot in its own package.json, so the command cannot be. */
const PUBLISHED_NAMES = { '@earshot/cli': 'earshot' };
/** Sources of programs, which no export names. */
const PROGRAMS = { cli: ['src/main.ts'], mcp: ['src/main.ts'] };
/** Bundled by scripts/build.mjs in a special way. Without source maps, and without the code cache, which fits only one version of Node. */
const BUILT = { decode: 'decode/dist/.built/child.json' };
/** Entry points that also run in browsers, and so must not depend on Node. */
const PLATFORM_NEUTRAL = new Set([
  'engine/src/index.ts',
  'engine/models/fetch-models.ts',
  'sdk/src/index.ts',
]);

const readPackage = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const publishedNames = new Set(PUBLISHED.map((folder) => readPackage(folder).name));

/** Returns `[{ name, version, folder, tarball }]`. */
export async function packAll(target = join(root, 'dist/packages')) {
  const failures = await buildAll();
  if (failures.length > 0) throw failures[0];
  rmSync(target, { recursive: true, force: true });
  const types = emitTypes(join(target, 'types'));
  const packed = [];
  for (const source of PUBLISHED) {
    const manifest = readPackage(source);
    const name = PUBLISHED_NAMES[manifest.name] ?? manifest.name;
    const folder = join(target, basename(name));
    await stage({ source, name, folder, manifest, types });
    const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', target], folder));
    packed.push({ name, version: manifest.version, folder, tarball: join(target, filename) });
  }
  rmSync(types, { recursive: true });
  return packed;
}

function npm(args, cwd) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Writes the declarations of every source file in the folder structure of the repository. */
function emitTypes(folder) {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--incremental', 'false'];
  execFileSync(process.execPath, [TSC, ...options, '--rootDir', root, '--outDir', folder], {
    cwd: root,
    stdio: 'inherit',
  });
  return folder;
}

async function stage({ source, name, folder, manifest, types }) {
  const entries = Object.entries(normaliseExports(manifest.exports));
  const sources = entries.map(([, file]) => file).filter((file) => file.endsWith('.ts'));
  await bundle(source, sources, folder, { splitting: false });
  await bundle(source, PROGRAMS[source] ?? [], folder, { splitting: true });
  for (const file of builtOf(source)) cpSync(join(root, file), join(folder, relative(source, file)));
  for (const file of sources) copyTypes(join(source, file), { folder, types });
  for (const file of [...(manifest.files ?? []), 'README.md']) {
    if (file !== 'dist')
      cpSync(join(root, source, file), join(folder, file), { recursive: true, filter: isNotSource });
  }
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  for (const file of Object.values(manifest.bin ?? {})) chmodSync(join(folder, file), 0o755);
  const { private: _, scripts: __, devDependencies: ___, ...kept } = manifest;
  const staged = {
    ...kept,
    name,
    exports: Object.fromEntries(entries.map(([entry, file]) => [entry, publishedExport(source, file)])),
    files: [...new Set(['dist', ...(manifest.files ?? [])])],
    engines: readPackage('.').engines,
    ...dependenciesOf(source),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(staged, null, 2)}\n`);
}

function builtOf(source) {
  if (BUILT[source] === undefined) return [];
  const { outputs } = JSON.parse(readFileSync(join(root, BUILT[source]), 'utf8'));
  return outputs.filter((file) => !file.endsWith('.map'));
}

/** Published folders may contain sources, which are bundled in dist/ instead. */
const isNotSource = (path) => !path.endsWith('.ts');

function normaliseExports(exports) {
  return typeof exports === 'string' ? { '.': exports } : exports;
}

/** `src/index.ts` becomes `dist/index.js`. */
const bundleOf = (file) => `./dist/${basename(file, '.ts')}.js`;
const typesOf = (file) => join('dist/types', file.replace(/\.ts$/, '.d.ts'));

function publishedExport(source, file) {
  if (!file.endsWith('.ts')) return file;
  return { types: `./${typesOf(join(source, file))}`, default: bundleOf(file) };
}

async function bundle(source, files, folder, { splitting }) {
  for (const file of files) {
    await build({
      absWorkingDir: root,
      entryPoints: [{ in: join(source, file), out: basename(bundleOf(file), '.js') }],
      outdir: join(folder, 'dist'),
      chunkNames: `${basename(file, '.ts')}-[hash]`,
      splitting,
      bundle: true,
      platform: PLATFORM_NEUTRAL.has(join(source, file)) ? 'neutral' : 'node',
      format: 'esm',
      target: ['node20.19', 'chrome120', 'firefox121', 'safari17'],
      minifySyntax: true,
      logLevel: 'warning',
      plugins: [
        {
          name: 'published-outside',
          setup: (context) => context.onResolve({ filter: /^[^./]/ }, leaveOutside),
        },
      ],
    });
  }
}

/** Bundles our own unpublished packages only. */
function leaveOutside({ path }) {
  return path.startsWith('@earshot/') && !publishedNames.has(packageOf(path))
    ? null
    : { path, external: true };
}

function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The package's dependencies, and those of the unpublished packages bundled into it. */
function dependenciesOf(source) {
  const merged = { dependencies: {}, optionalDependencies: {} };
  const take = (folder) => {
    const manifest = readPackage(folder);
    for (const kind of Object.keys(merged)) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        const isBundled = name.startsWith('@earshot/') && !publishedNames.has(name);
        if (isBundled) take(name.replace('@earshot/', ''));
        else merged[kind][name] = version;
      }
    }
  };
  take(source);
  return Object.fromEntries(Object.entries(merged).filter(([, list]) => Object.keys(list).length > 0));
}

/** Copies the declarations reachable from one file, with import paths that resolve without our compiler settings. */
function copyTypes(file, { folder, types }) {
  const waiting = [file];
  const seen = new Set(waiting);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const text = readFileSync(join(types, next.replace(/\.ts$/, '.d.ts')), 'utf8');
    const rewritten = text.replace(
      /(from\s+|import\()(['"])([^'"]+)\2/g,
      (whole, keyword, quote, specifier) => {
        const reached = reachType(next, specifier);
        if (reached === null) return whole;
        if (!seen.has(reached)) waiting.push(reached);
        seen.add(reached);
        const path = relative(dirname(next), reached.replace(/\.ts$/, '.js'));
        return `${keyword}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
      },
    );
    const copy = join(folder, typesOf(next));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, rewritten);
  }
}

/** The source file of an import; null for an import that stays unchanged. */
function reachType(from, specifier) {
  if (specifier.startsWith('.') && extname(specifier) === '.ts') return join(dirname(from), specifier);
  if (specifier.startsWith('@earshot/') && !publishedNames.has(packageOf(specifier))) {
    const source = packageOf(specifier).replace('@earshot/', '');
    return join(source, normaliseExports(readPackage(source).exports)['.']);
  }
  return null;
}

/** Builds the wheel of the Python client; null with the reason if it cannot be built. */
export function packWheel(target = join(root, 'dist/packages')) {
  const python = findPython(CLIENT_MINOR_VERSION_MIN);
  if (python === null)
    return {
      wheel: null,
      reason: `Python 3.${CLIENT_MINOR_VERSION_MIN} or newer with venv and pip is not installed`,
    };
  const folder = join(target, 'python');
  rmSync(folder, { recursive: true, force: true });
  for (const file of ['pyproject.toml', 'README.md', 'src']) {
    cpSync(join(root, 'clients/python', file), join(folder, file), {
      recursive: true,
      filter: (path) => !/__pycache__|\.egg-info$/.test(path),
    });
  }
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const args = [
    '-m',
    'pip',
    'wheel',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--wheel-dir',
    target,
    folder,
  ];
  execFileSync(python, args, { stdio: 'inherit' });
  return {
    wheel: join(
      target,
      readdirSync(target).find((name) => name.endsWith('.whl')),
    ),
    reason: null,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const packed = await packAll();
  for (const { name, version, tarball } of packed) {
    const kilobytes = Math.round(readFileSync(tarball).length / 1000);
    console.log(`${name}@${version}  ${relative(process.cwd(), tarball)}  ${kilobytes} kB`);
  }
  const { wheel, reason } = packWheel();
  console.log(wheel ? relative(process.cwd(), wheel) : `no wheel: ${reason}`);
}
