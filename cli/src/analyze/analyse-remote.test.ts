import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { startTestService } from '../test-service.ts';
import { createRemoteAnalyser } from './analyse-remote.ts';
import { SongFailed } from './song.ts';

it('fails for a file that went away, and not for the others', async () => {
  const analyse = createRemoteAnalyser(new Earshot({ baseUrl: 'http://localhost:9' }), {});
  const failed = analyse('gone.mp3', () => {});
  await expect(failed).rejects.toThrow(SongFailed);
  await expect(failed).rejects.toThrow(`There is no file ${resolve('gone.mp3')}.`);
});

it('fails for a file that is written to while it is sent, and not for the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-remote-'));
  const path = join(folder, 'song.wav');
  writeFileSync(path, 'four');
  const service = await startTestService(() => {
    appendFileSync(path, 'more');
    return { status: 201, body: { id: 'obj_1', signed_url: `${service.url}/obj_1` } };
  });
  const analyse = createRemoteAnalyser(new Earshot({ baseUrl: service.url }), {});
  await expect(analyse(path, () => {})).rejects.toThrow(
    new SongFailed('The file was changed or moved while it was sent'),
  );
  rmSync(folder, { recursive: true });
});

it.each([
  ['the service', { code: 'payload_too_large', detail: 'No.' }],
  ['a proxy', null],
])('fails for a file that is too large for %s, and not for the others', async (_, body) => {
  const service = await startTestService(() => ({ status: 413, body }));
  const analyse = createRemoteAnalyser(new Earshot({ baseUrl: service.url }), {});
  await expect(analyse(fileURLToPath(import.meta.url), () => {})).rejects.toThrow(SongFailed);
});
