import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listSources } from './sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-sources-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('lists a file whose `stat` fails, and skips one that was deleted after the listing', async () => {
  for (const name of ['a', 'b', 'c']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'song.wav'), 'four');
  }
  const sources = listSources(folder, () => {});
  const { value: first } = await sources.next();
  expect(first).toMatchObject({ name: join(folder, 'a/song.wav'), fileName: 'song.wav', byteSize: 4 });
  rmSync(join(folder, 'b/song.wav'));
  // A link to itself: not even root can open a path through it.
  rmSync(join(folder, 'c'), { recursive: true });
  symlinkSync(join(folder, 'c'), join(folder, 'c'));
  const { value: second } = await sources.next();
  expect(second).toMatchObject({ name: join(folder, 'c/song.wav'), byteSize: null, version: null });
  expect(await sources.next()).toMatchObject({ done: true });
});
