import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isOwn } from './postgres-binaries.ts';

const folder = await mkdtemp(join(tmpdir(), 'earshot-binaries-'));
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['only its owner can write to', 0o755, true],
  ['its group can write to', 0o775, false],
  ['everybody can write to', 0o777, false],
  ['everybody can write to, with the sticky bit', 0o1777, false],
])('a folder that %s', async (name, mode, isOurs) => {
  const path = join(folder, name);
  await mkdir(path);
  await chmod(path, mode);
  expect(await isOwn(path)).toBe(isOurs);
});

it('a file, a link to a folder, and nothing at all are no folder of ours', async () => {
  await writeFile(join(folder, 'file'), '');
  await symlink(folder, join(folder, 'link'));
  for (const name of ['file', 'link', 'missing']) expect(await isOwn(join(folder, name)), name).toBe(false);
});
