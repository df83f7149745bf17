/**
 * Compiles the AssemblyScript kernels of the engine and of the library.
 *
 * Each module is embedded as base64 in a TypeScript file, because the engine does no I/O and must bundle anywhere. The file also contains
 * the hash of the sources, so that a test can detect a stale module without compiling, and the signatures of the kernels.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';
import { hashSources, MODULES, ROOT } from './wasm-modules.mjs';

for (const [folder, target] of Object.entries(MODULES)) {
  const assembly = join(ROOT, folder);
  const { 'kernels.wasm': binary, 'kernels.d.ts': declarations } = await compile(assembly);
  const base64 = Buffer.from(binary)
    .toString('base64')
    .replace(/.{1,100}/g, (line) => `  '${line}' +\n`)
    .replace(/ \+\n$/, '');
  writeFileSync(
    join(ROOT, target),
    `// Made by \`npm run wasm\` from ${folder}. Do not edit.
export const KERNELS_SOURCE_SHA256 = '${hashSources(folder)}';
export const KERNELS_WASM_BASE64 =
${base64};

/** Pointers are byte offsets into the instance's memory. The meaning of each kernel is in ${folder}. */
export type KernelFunctions = {
${listSignatures(declarations)}
};
`,
  );
  process.stdout.write(`${target}: ${binary.length} bytes of wasm\n`);
}

/** JavaScript sees a wasm boolean as a number. */
function listSignatures(declarations) {
  return Array.from(
    declarations.matchAll(/export function (.+;)/g),
    ([, signature]) => `  ${signature.replaceAll('boolean', 'number')}`,
  ).join('\n');
}

/** The compiler's output files, by name. */
async function compile(assembly) {
  const written = {};
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
      '--bindings',
      'raw',
    ],
    {
      readFile: (name, base) => {
        try {
          return readFileSync(join(base === '.' ? assembly : join(assembly, base), name), 'utf8');
        } catch {
          return null;
        }
      },
      writeFile: (name, contents) => {
        written[name] = contents;
      },
      listFiles: () => [],
    },
  );
  if (error || !written['kernels.wasm']) {
    process.stderr.write(`${stderr.toString()}\n${error?.message ?? 'the compiler wrote no module'}\n`);
    process.exit(1);
  }
  return written;
}
