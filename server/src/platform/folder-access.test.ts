import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { canEnter, isOwn } from './folder-access.ts';

const folder = await mkdtemp(join(tmpdir(), 'earshot-access-'));
await chmod(folder, 0o755);
const { uid, gid } = await stat(folder);
afterAll(() => rm(folder, { recursive: true }));

describe('isOwn', () => {
  it.each([
    ['only its owner can write to', 0o755, true],
    ['its group can write to', 0o775, false],
    ['everyone can write to', 0o777, false],
    ['everyone can write to, with the sticky bit', 0o1777, false],
  ])('of a folder that %s', async (name, mode, isOurs) => {
    const path = join(folder, name);
    await mkdir(path);
    await chmod(path, mode);
    expect(await isOwn(path)).toBe(isOurs);
  });

  it('is false for a file, a link to a folder, and a missing folder', async () => {
    await writeFile(join(folder, 'file'), '');
    await symlink(folder, join(folder, 'link'));
    for (const name of ['file', 'link', 'missing']) expect(await isOwn(join(folder, name)), name).toBe(false);
  });
});

describe('canEnter', () => {
  const [owner, inGroup, other] = [
    { uid, gid: gid + 1 },
    { uid: uid + 1, gid },
    { uid: uid + 1, gid: gid + 1 },
  ];

  it.each([
    ['the owner', owner, 0o100, 0o677],
    ['a user of its group', inGroup, 0o010, 0o767],
    ['any other user', other, 0o001, 0o776],
  ])('needs the execute bit for %s', async (who, user, allowed, refused) => {
    const path = join(folder, who);
    await mkdir(path);
    await chmod(path, allowed);
    expect(await canEnter(path, user)).toBe(true);
    await chmod(path, refused);
    expect(await canEnter(path, user)).toBe(false);
  });

  it('needs it on the folders above as well', async () => {
    const above = join(folder, 'above');
    await mkdir(join(above, 'inner'), { recursive: true });
    await chmod(join(above, 'inner'), 0o755);
    await chmod(above, 0o755);
    expect(await canEnter(join(above, 'inner'), other)).toBe(true);
    await chmod(above, 0o700);
    expect(await canEnter(join(above, 'inner'), other)).toBe(false);
  });

  it('is true for the user of this process', async () => {
    expect(await canEnter('/nowhere', null)).toBe(true);
  });
});
