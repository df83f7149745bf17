import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../../bin/earshot.mjs', import.meta.url));

/** Starts the import of a bucket that sends the beginning of its object, and nothing more. */
async function startImport(nodeOptions: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bucket-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const bucket = createServer(({ url }, response) => {
    const list =
      '<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>a.wav</Key><Size>9</Size><ETag>1</ETag></Contents></ListBucketResult>';
    if (url!.includes('list-type')) response.end(list);
    else response.write('begun');
  });
  await once(bucket.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    bucket.closeAllConnections();
    bucket.close();
  });
  const address = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
  const importing = spawn(process.execPath, [...nodeOptions, program, 'import', 's3://bucket'], {
    env: {
      ...process.env,
      TMPDIR: temporary,
      XDG_CONFIG_HOME: folder,
      EARSHOT_API_KEY: 'es_live_x',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL: address,
    },
    stdio: 'ignore',
  });
  onTestFinished(() => void importing.kill('SIGKILL'));
  return { temporary, importing, ended: once(importing, 'exit') };
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('removes a partial download at %s', async (signal) => {
  const { temporary, importing, ended } = await startImport();
  const begun = () =>
    readdirSync(temporary).map((name) => readFileSync(join(temporary, name, 'object'), 'utf8'));
  await expect.poll(begun, { timeout: 20_000 }).toEqual(['begun']);
  importing.kill(signal);
  expect(await ended).toEqual([null, signal]);
  expect(readdirSync(temporary)).toEqual([]);
});

it('removes the folder of a download at a signal from the moment it exists', async () => {
  const killWithFolder = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { mkdtempSync } = fs;
    fs.mkdtempSync = (prefix) => {
      const path = mkdtempSync(prefix);
      process.kill(process.pid, 'SIGTERM');
      return path;
    };
    syncBuiltinESMExports();`;
  const preload = `data:text/javascript,${encodeURIComponent(killWithFolder)}`;
  const { temporary, ended } = await startImport(['--import', preload]);
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(readdirSync(temporary)).toEqual([]);
});
