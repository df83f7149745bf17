/**
 * Compiles the kernels of the engine and of the library from AssemblyScript.
 *
 * A module travels as base64 inside a TypeScript file because the engine does no I/O and must bundle anywhere. The hash of the
 * sources goes in with it, so that a test can tell a stale module from a current one without compiling.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';
import { hashSources, MODULES, ROOT } from './wasm-modules.mjs';

for (const [folder, target] of Object.entries(MODULES)) {
  const assembly = join(ROOT, folder);
  const binary = await compile(assembly);
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
`,
  );
  process.stdout.write(`${target}: ${binary.length} bytes of wasm\n`);
}

async function compile(assembly) {
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
  return binary;
}
