import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('bundles for a browser: no module of Node, no schemas, small', async () => {
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
  // Everything of the contract is types, which leave nothing behind.
  expect(inputs.filter((path) => !path.includes('sdk/src/'))).toEqual([]);
  expect(outputFiles[0]!.contents.byteLength).toBeLessThan(20_000);
});
