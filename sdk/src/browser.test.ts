import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('bundles for browsers into less than 20 kB, without Node modules or schemas', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL('./index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  // Only types come from the contract, and types leave no code.
  expect(inputs.filter((path) => !path.includes('sdk/src/'))).toEqual([]);
  expect(outputFiles[0]!.contents.byteLength).toBeLessThan(20_000);
});
