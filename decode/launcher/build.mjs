/**
 * Compiles the launcher for every architecture it is committed for:
 *
 *     python3 -m pip install ziglang==0.13.0
 *     npm run launcher
 *
 * The programs are committed, so installing and building Earshot needs no C compiler. Zig provides clang and the kernel headers of all
 * architectures in one package of a fixed version, so the same sources give the same bytes everywhere. src/walls.slow.test.ts verifies
 * that where Zig is installed; elsewhere it compares the hash of the sources, which reveals a stale program.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const ZIG_VERSION = '0.13.0';
const SOURCES = ['launch.c', 'namespaces.c', 'privileges.c', 'filter.c', 'verify.c'];
const HEADERS = ['system.h', 'launch.h'];
/** The names of each architecture in Node, in the compiler and in the kernel headers. */
const TARGETS = [
  { arch: 'x64', target: 'x86_64-linux-musl', headers: 'x86-linux-any' },
  { arch: 'arm64', target: 'aarch64-linux-musl', headers: 'aarch64-linux-any' },
];
const PYTHON = process.env.ZIG_PYTHON ?? 'python3';

export function sourceSha256() {
  const hash = createHash('sha256');
  for (const name of [...HEADERS, ...SOURCES]) hash.update(readFileSync(join(here, name)));
  return hash.digest('hex');
}

export const programPath = (arch) => join(here, 'bin', `launch-linux-${arch}`);

/** Null unless exactly this version of the compiler is installed. */
export function findCompiler() {
  try {
    const script = 'import ziglang, os; print(os.path.dirname(ziglang.__file__))';
    const folder = execFileSync(PYTHON, ['-c', script], { encoding: 'utf8', stdio: 'pipe' }).trim();
    const version = execFileSync(join(folder, 'zig'), ['version'], { encoding: 'utf8' }).trim();
    return version === ZIG_VERSION ? folder : null;
  } catch {
    return null;
  }
}

/** The bytes of the program for each architecture. */
export function compileAll(compiler) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-launcher-'));
  try {
    return new Map(
      TARGETS.map(({ arch, target, headers }) => {
        const output = join(folder, arch);
        const include = join(compiler, 'lib', 'libc', 'include');
        const args = [
          ['cc', '-target', target, '-nostdlib', '-static', '-ffreestanding', '-fno-pie', '-s', '-Os'],
          ['-fno-stack-protector', '-fno-sanitize=undefined', '-Wall', '-Wextra', '-Werror'],
          ['-isystem', join(include, headers), '-isystem', join(include, 'any-linux-any')],
          ['-o', output, ...SOURCES],
        ].flat();
        const env = { PATH: process.env.PATH, HOME: folder, ZIG_GLOBAL_CACHE_DIR: folder };
        execFileSync(join(compiler, 'zig'), args, { cwd: here, stdio: 'inherit', env });
        return [arch, readFileSync(output)];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const compiler = findCompiler();
  if (compiler === null) throw new Error(`${PYTHON} -m pip install ziglang==${ZIG_VERSION}`);
  for (const [arch, bytes] of compileAll(compiler)) {
    writeFileSync(programPath(arch), bytes, { mode: 0o755 });
    process.stdout.write(`${programPath(arch)}: ${bytes.length} bytes\n`);
  }
  writeFileSync(join(here, 'bin', 'source-sha256'), `${sourceSha256()}\n`);
}
