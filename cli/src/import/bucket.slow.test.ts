import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../bin/earshot.mjs', import.meta.url));

it.each(['SIGINT', 'SIGTERM'] as const)('removes a partial download at %s', async (signal) => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bucket-'));
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  /** Sends the beginning of an object, and nothing more. */
  const bucket = createServer(({ url }, response) => {
    const list =
      '<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>a.wav</Key><Size>4</Size><ETag>1</ETag></Contents></ListBucketResult>';
    if (url!.includes('list-type')) response.end(list);
    else response.write('begun');
  });
  await once(bucket.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
  const importing = spawn(process.execPath, [program, 'import', 's3://bucket'], {
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
  const ended = once(importing, 'exit');
  await expect.poll(() => readdirSync(temporary), { timeout: 20_000 }).toHaveLength(1);
  importing.kill(signal);
  expect(await ended).toEqual([null, signal]);
  expect(readdirSync(temporary)).toEqual([]);
  bucket.closeAllConnections();
  bucket.close();
  rmSync(folder, { recursive: true });
});
