import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { credentialsPath, deleteCredentials, readCredentials, writeCredentials } from './credentials.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-credentials-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const credentials = {
  service: 'http://localhost:8080',
  email: 'ada@example.com',
  apiKey: 'es_live_x',
  apiKeyId: 'key_1',
  sessionToken: 'es_sess_x',
};

it('are readable by their owner alone, ignored when damaged, and deleted', () => {
  const path = credentialsPath({ XDG_CONFIG_HOME: folder });
  expect(readCredentials(path)).toBeNull();
  writeCredentials(credentials, path);
  expect(readCredentials(path)).toEqual(credentials);
  // On Windows a mode has no meaning; the user's folder is private.
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  for (const damaged of ['{"half', 'null', '[]', '{}', JSON.stringify({ ...credentials, apiKey: null })]) {
    writeFileSync(path, damaged);
    expect(readCredentials(path)).toBeNull();
  }
  deleteCredentials(path);
  deleteCredentials(path);
  expect(readCredentials(path)).toBeNull();
});

it('leave no partial file with a key behind when they cannot be stored', () => {
  const path = join(folder, 'taken', 'credentials.json');
  mkdirSync(join(path, 'a folder in its place'), { recursive: true });
  expect(() => writeCredentials(credentials, path)).toThrow(/credentials\.json/);
  expect(readdirSync(join(folder, 'taken'))).toEqual(['credentials.json']);
});
