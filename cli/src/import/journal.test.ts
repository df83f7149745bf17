import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openJournal } from './journal.ts';

let folder: string;
let imports: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-journal-'));
  imports = join(folder, 'earshot', 'imports');
  warnings = [];
  vi.stubEnv('XDG_CONFIG_HOME', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const open = () => openJournal('https://service', '/songs', 'hash', (sentence) => warnings.push(sentence));
const source = (name: string) => ({ name, fileName: name, byteSize: 4, version: '1', fetch: vi.fn() });
const OUTCOME = { sha256: 'digest', jobId: 'job_1' };
const pathOfJournal = () => join(imports, readdirSync(imports)[0]!);

describe('the journal', () => {
  it('keeps what is added after a line that a crash cut short', () => {
    open().add(source('a.wav'), OUTCOME);
    const path = pathOfJournal();
    writeFileSync(path, readFileSync(path, 'utf8').trimEnd().slice(0, -10));
    open().add(source('b.wav'), OUTCOME);
    const journal = open();
    expect([journal.has(source('a.wav')), journal.has(source('b.wav'))]).toEqual([false, true]);
    expect(warnings).toEqual([]);
  });

  it('has a song of this name while its size and version are the same and known', () => {
    const song = source('a.wav');
    const unknown = { ...source('b.wav'), version: null };
    for (const added of [song, unknown]) open().add(added, OUTCOME);
    const journal = open();
    expect(journal.has(song)).toBe(true);
    for (const other of [{ ...song, byteSize: 5 }, { ...song, version: '2' }, source('c.wav'), unknown])
      expect(journal.has(other)).toBe(false);
  });

  it('is another one for another service, folder or key', () => {
    open().add(source('a.wav'), OUTCOME);
    for (const [service, root, keyHash] of [
      ['https://other', '/songs', 'hash'],
      ['https://service', '/other', 'hash'],
      ['https://service', '/songs', 'other'],
    ] as const)
      expect(openJournal(service, root, keyHash, expect.unreachable).has(source('a.wav'))).toBe(false);
  });

  it.each([
    [
      'its folder cannot be made',
      () => {
        mkdirSync(join(folder, 'earshot'));
        writeFileSync(imports, '');
      },
    ],
    [
      'it cannot be read',
      () => {
        open().add(source('a.wav'), OUTCOME);
        const path = pathOfJournal();
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])('is not used, with one warning, if %s', (_, damage) => {
    damage();
    const journal = open();
    journal.add(source('b.wav'), OUTCOME);
    expect(journal.has(source('a.wav'))).toBe(false);
    expect(warnings).toEqual([expect.stringContaining(imports)]);
  });

  it('is given up, with one warning, when it can no longer be written', () => {
    const journal = open();
    rmSync(imports, { recursive: true });
    for (const name of ['a.wav', 'b.wav']) journal.add(source(name), OUTCOME);
    expect(warnings).toEqual([expect.stringContaining(imports)]);
  });
});
