/**
 * Compiles the kernels of the engine and of the library from AssemblyScript.
 *
 * A module travels as base64 inside a TypeScript file because the engine does no I/O and must bundle anywhere. The hash of the
 * sources goes in with it, so that a test can tell a stale module from a current one without compiling, and so do the kernels'
 * signatures, as JavaScript calls them.
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

/** A boolean crosses the border of a module as a number. */
function listSignatures(declarations) {
  return Array.from(
    declarations.matchAll(/export function (.+;)/g),
    ([, signature]) => `  ${signature.replaceAll('boolean', 'number')}`,
  ).join('\n');
}

/** The files that the compiler writes, by name. */
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
    process.stderr.write(`${stderr.toString()}\n${error?.message ?? 'no module was written'}\n`);
    process.exit(1);
  }
  return written;
}
