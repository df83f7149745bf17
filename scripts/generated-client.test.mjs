/** A client generated from our OpenAPI document compiles in strict mode and completes a journey against a running service. */
import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { startService } from './start-service.mjs';
import { createEmptyFolder, repository } from './test-empty-folder.mjs';

const { folder, write, run } = createEmptyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a client of openapi-typescript and openapi-fetch compiles and completes the journey', {
  timeout: 300_000,
}, async () => {
  const inside = (name) => join(repository, 'node_modules', name);
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(repository, 'clients/generated/walk.ts'), join(folder, 'walk.ts'));
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    target: 'ES2023',
    module: 'NodeNext',
    types: ['node'],
  };
  write('package.json', '{ "private": true, "type": "module" }');
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['walk.ts'] }));

  const document = join(repository, 'contract/openapi.json');
  run(process.execPath, inside('openapi-typescript/bin/cli.js'), document, '--output', 'api.ts');
  run(process.execPath, inside('typescript-native/bin/tsc'), '-p', 'tsconfig.json');
  const entryPoints = [join(folder, 'walk.ts')];
  await build({
    entryPoints,
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'walk.mjs'),
  });

  const service = await startService();
  try {
    const output = run(
      process.execPath,
      'walk.mjs',
      service.url,
      join(repository, 'decode/fixtures/vorbis.ogg'),
    );
    expect(output).toContain('The generated TypeScript client walked the journey');
  } finally {
    await service.stop();
  }
});
