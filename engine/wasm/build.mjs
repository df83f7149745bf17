/**
 * Compiles assembly/index.ts and what it imports into src/signal/kernels.generated.ts.
 *
 * The module travels as base64 inside a TypeScript file because the engine does no I/O and must bundle anywhere. The hash of the
 * sources goes in with it, so that a test can tell a stale module from a current one without compiling.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const here = dirname(fileURLToPath(import.meta.url));
const assembly = join(here, 'assembly');
const target = join(here, '..', 'src', 'signal', 'kernels.generated.ts');

const sourceHash = createHash('sha256');
for (const name of readdirSync(assembly)
  .filter((file) => file.endsWith('.ts'))
  .sort()) {
  sourceHash
    .update(name)
    .update('\0')
    .update(readFileSync(join(assembly, name)))
    .update('\0');
}

let binary;
const { error, stderr } = await asc.main(
  [
    'index.ts',
    '--outFile',
    'kernels.wasm',
    '-O3',
    '--converge',
    '--enable',
    'simd',
    '--runtime',
    'stub',
    '--noAssert',
  ],
  {
    readFile: (name, base) => {
      try {
        return readFileSync(join(base === '.' ? assembly : join(assembly, base), name), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile: (_name, contents) => {
      binary = contents;
    },
    listFiles: () => [],
  },
);
if (error || binary === undefined) {
  process.stderr.write(`${stderr.toString()}\n${error?.message ?? 'no module was written'}\n`);
  process.exit(1);
}

const base64 = Buffer.from(binary)
  .toString('base64')
  .replace(/.{1,100}/g, (line) => `  '${line}' +\n`)
  .replace(/ \+\n$/, '');
writeFileSync(
  target,
  `// Made by \`npm run wasm\` from engine/wasm/assembly. Do not edit.
export const KERNELS_SOURCE_SHA256 = '${sourceHash.digest('hex')}';
export const KERNELS_WASM_BASE64 =
${base64};
`,
);
process.stdout.write(`kernels: ${binary.length} bytes of wasm\n`);
