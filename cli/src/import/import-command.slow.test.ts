import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { replaceDelays } from '../test-delays.ts';
import { startTestService } from '../test-service.ts';
import { runImport } from './import-command.ts';

replaceDelays(() => {});

const service = await startTestService(({ method, path }) => {
  if (method === 'GET') return { body: [] };
  if (path === '/v1/storage-objects')
    return { status: 201, body: { id: 'obj_1', signed_url: `${service.url}/obj_1` } };
  return method === 'PUT' ? { body: {} } : { status: 409, body: { code: 'object_not_uploaded' } };
});

it('ends when the upload of another machine does not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'song.wav'), 'song');
  await expect(runImport([folder])).rejects.toMatchObject({ code: 'object_not_uploaded' });
  const submissions = service.requests.filter(
    ({ method, path }) => method === 'POST' && path === '/v1/analyses',
  );
  // The first, and two a second for two minutes.
  expect(submissions).toHaveLength(1 + 2 * 120);
});
