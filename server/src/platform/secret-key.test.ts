import fs, {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { readOrCreateSecretKey } from './secret-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('is created once, readable only by its owner, without leaving other files', () => {
  const dataDir = join(folder, 'data');
  const key = readOrCreateSecretKey(dataDir);
  expect(Buffer.from(key, 'base64url')).toHaveLength(32);
  expect(readOrCreateSecretKey(dataDir)).toBe(key);
  expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['secret-key']);
});

it('is the key of another process that created one at the same time', () => {
  const dataDir = join(folder, 'two');
  const ofOther = 'o'.repeat(43);
  const link = vi.spyOn(fs, 'linkSync').mockImplementationOnce((candidate, path) => {
    writeFileSync(path, `${ofOther}\n`);
    link.mockRestore();
    syncBuiltinESMExports();
    linkSync(candidate, path);
  });
  syncBuiltinESMExports();
  expect(readOrCreateSecretKey(dataDir)).toBe(ofOther);
  expect(readdirSync(dataDir)).toEqual(['secret-key']);
});

it('leaves nothing behind when the disk is full', () => {
  const dataDir = join(folder, 'full');
  const write = vi.spyOn(fs, 'writeFileSync').mockImplementationOnce((path) => {
    write.mockRestore();
    syncBuiltinESMExports();
    writeFileSync(path, 'half of a k');
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  expect(() => readOrCreateSecretKey(dataDir)).toThrow('full');
  expect(readdirSync(dataDir)).toEqual([]);
});

it('may have just 32 characters', () => {
  const dataDir = mkdtempSync(join(folder, 'shortest-'));
  writeFileSync(join(dataDir, 'secret-key'), `${'k'.repeat(32)}\n`);
  expect(readOrCreateSecretKey(dataDir)).toBe('k'.repeat(32));
});

it.each(['', '\n', `${'k'.repeat(31)}\n`])('refuses a file with %j, and leaves it unchanged', (text) => {
  const dataDir = mkdtempSync(join(folder, 'empty-'));
  writeFileSync(join(dataDir, 'secret-key'), text);
  expect(() => readOrCreateSecretKey(dataDir)).toThrow(/which is no key. Restore it from the backup/);
  expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe(text);
});
