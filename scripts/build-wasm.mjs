/**
 * Compiles the kernels of the engine and of the library from AssemblyScript.
 *
 * A module travels as base64 inside a TypeScript file because the engine does no I/O and must bundle anywhere. The hash of the
 * sources goes in with it, so that a test can tell a stale module from a current one without compiling.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Folder of the sources → module. */
const MODULES = {
  'engine/wasm/assembly': 'engine/src/signal/kernels.generated.ts',
  'server/wasm/assembly': 'server/src/library/kernels.generated.ts',
};

for (const [folder, target] of Object.entries(MODULES)) {
  const assembly = join(root, folder);
  const binary = await compile(assembly);
  const base64 = Buffer.from(binary)
    .toString('base64')
    .replace(/.{1,100}/g, (line) => `  '${line}' +\n`)
    .replace(/ \+\n$/, '');
  writeFileSync(
    join(root, target),
    `// Made by \`npm run wasm\` from ${folder}. Do not edit.
export const KERNELS_SOURCE_SHA256 = '${hashSources(assembly)}';
export const KERNELS_WASM_BASE64 =
${base64};
`,
  );
  process.stdout.write(`${target}: ${binary.length} bytes of wasm\n`);
}

function hashSources(assembly) {
  const hash = createHash('sha256');
  for (const name of readdirSync(assembly)
    .filter((file) => file.endsWith('.ts'))
    .sort()) {
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(assembly, name)))
      .update('\0');
  }
  return hash.digest('hex');
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
