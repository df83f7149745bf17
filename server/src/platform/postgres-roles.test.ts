import { mkdtempSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ensureRoles, readOrMakePassword, runSingleUser } from './postgres-roles.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-roles-'));
afterAll(() => rm(folder, { recursive: true }));

describe('readOrMakePassword', () => {
  it('refuses an empty file', async () => {
    writeFileSync(join(folder, 'password'), '\n');
    await expect(readOrMakePassword(folder)).rejects.toThrow(/password is empty/);
  });
});

describe('ensureRoles', () => {
  it('runs again after it was interrupted, and not once it is done, until the password changes', async () => {
    const home = join(folder, 'home');
    const rulesPath = join(home, 'data', 'cluster', 'pg_hba.conf');
    await mkdir(join(home, 'data', 'cluster'), { recursive: true });
    writeFileSync(rulesPath, 'rules of an earlier version');
    let databases: string[] = [];
    let failsIn: string | null = null;
    const ensure = async (password: string) => {
      databases = [];
      const administer = async (database: string) => {
        databases.push(database);
        if (database === failsIn) throw new Error('killed');
      };
      await ensureRoles({ home, password, adminPassword: null, administer });
      return databases;
    };

    for (failsIn of ['postgres', 'earshot']) {
      await expect(ensure('first')).rejects.toThrow('killed');
      expect(await readFile(rulesPath, 'utf8')).toBe('rules of an earlier version');
    }
    failsIn = null;
    expect(await ensure('first')).toEqual(['postgres', 'earshot']);
    expect(await readFile(rulesPath, 'utf8')).toBe('local all all scram-sha-256\n');
    expect(await ensure('first')).toEqual([]);
    expect(await ensure('second')).toEqual(['postgres', 'earshot']);
    writeFileSync(rulesPath, 'local all all trust\n');
    expect(await ensure('second')).toEqual(['postgres', 'earshot']);
  });
});

describe('runSingleUser', () => {
  /** A program that keeps its arguments and input, prints `output` and exits with `status`. */
  async function runWith(output: string, status: number) {
    const program = join(folder, 'postgres');
    writeFileSync(
      program,
      '#!/bin/sh\necho "$@" > "$KEPT.args"\ncat > "$KEPT.input"\necho "$OUTPUT"\nexit $STATUS\n',
      {
        mode: 0o755,
      },
    );
    const kept = join(folder, 'kept');
    const env = { PATH: process.env.PATH, KEPT: kept, OUTPUT: output, STATUS: String(status) };
    await runSingleUser(program, ['-D', 'here'], 'earshot', ['select 1', 'select\n2'], { env });
    return [await readFile(`${kept}.args`, 'utf8'), await readFile(`${kept}.input`, 'utf8')];
  }

  it('gives each statement to the program with a semicolon and an empty line', async () => {
    const sent = ['--single -j -D here earshot\n', 'select 1;\n\nselect\n2;\n\n'];
    expect(await runWith('backend> ', 0)).toEqual(sent);
    // The error of a repeated setup.
    expect(await runWith('[1] ERROR:  database "earshot" already exists', 0)).toEqual(sent);
  });

  it.each([
    ['ERROR:  syntax error', 0],
    ['FATAL:  out of memory', 0],
    ['PANIC:  no disk', 0],
    ['ERROR:  database "earshot" already exists\nERROR:  syntax error', 0],
    ['backend> ', 1],
  ])('throws with the output %j and status %i', async (output, status) => {
    await expect(runWith(output, status)).rejects.toThrow(output);
  });
});
