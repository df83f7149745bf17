/**
 * Compiles mp3.c into src/codecs/mp3.generated.ts, with clang and wasm-ld of LLVM 14 or later (Debian: clang, lld):
 *
 *     npm run wasm:mp3
 *
 * The module is committed, so installing and building Earshot needs no C compiler. It includes the hash of its sources, so that a test
 * can detect a stale module without compiling.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, '..', 'src', 'codecs', 'mp3.generated.ts');
const folder = mkdtempSync(join(tmpdir(), 'earshot-wasm-'));
try {
  const object = join(folder, 'mp3.o');
  const module = join(folder, 'mp3.wasm');
  run('clang', [
    ['--target=wasm32', '-msimd128', '-mbulk-memory', '-ffreestanding', '-nostdlib'],
    // The source is vectorised by hand; what the compiler would add takes V8 longer to compile than it saves.
    ['-O2', '-fno-vectorize', '-fno-slp-vectorize', '-fno-unroll-loops', '-Wall', '-Wno-unused'],
    ['-c', '-o', object, join(here, 'mp3.c')],
  ]);
  // Called directly, as clang would run any wasm-opt that it finds in PATH. A page of stack suffices: dr_mp3 has its scratch in `decoder`.
  run('wasm-ld', [['--no-entry', '--strip-all', '-z', 'stack-size=65536', '-o', module, object]]);
  const sourceHash = createHash('sha256');
  for (const name of ['dr_mp3.h', 'mp3.c']) sourceHash.update(readFileSync(join(here, name)));
  const binary = readFileSync(module);
  const lines = binary.toString('base64').match(/.{1,100}/g);
  writeFileSync(
    target,
    `// Made by \`npm run wasm:mp3\` from decode/wasm. Do not edit.
export const MP3_SOURCE_SHA256 = '${sourceHash.digest('hex')}';
export const MP3_WASM_BASE64 =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`,
  );
  process.stdout.write(`mp3: ${binary.length} bytes of wasm\n`);
} finally {
  rmSync(folder, { recursive: true });
}

function run(program, args) {
  execFileSync(program, args.flat(), { stdio: 'inherit' });
}
