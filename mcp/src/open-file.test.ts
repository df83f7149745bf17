import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { explainUnreadable, openFile } from './open-file.ts';

const THIS_FILE = fileURLToPath(import.meta.url);

it('opens a file with its name', async () => {
  const { file, fileName } = await openFile(THIS_FILE);
  expect(fileName).toBe('open-file.test.ts');
  expect(await file.text()).toContain('opens a file with its name');
});

it.each([
  [join(tmpdir(), 'nowhere', 'song.mp3'), `There is no file ${join(tmpdir(), 'nowhere', 'song.mp3')}.`],
  [join(THIS_FILE, 'song.mp3'), `There is no file ${join(THIS_FILE, 'song.mp3')}.`],
  ['nowhere.mp3', `There is no file ${resolve('nowhere.mp3')}.`],
  [tmpdir(), `${tmpdir()} is not a file.`],
])('says why it cannot open %s', async (path, sentence) => {
  await expect(openFile(path)).rejects.toThrow(sentence);
});

// Root may read every file.
it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'names a file that may not be read',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-open-file-'));
    const path = join(folder, 'song.mp3');
    writeFileSync(path, 'song', { mode: 0 });
    await expect(openFile(path)).rejects.toThrow(`${path} may not be read.`);
    rmSync(folder, { recursive: true });
  },
);

it('explains other errors with their message', () => {
  const error = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  expect(explainUnreadable('song.mp3', error)).toBe(`${resolve('song.mp3')} cannot be read: EIO: i/o error`);
});
