/** The sign-in of this machine: one file that only its owner can read. */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export type Credentials = {
  service: string;
  email: string;
  apiKey: string;
  apiKeyId: string;
  /** Keys cannot manage keys; the session that made the key can, until it expires. */
  sessionToken: string;
};

export function credentialsPath(env: NodeJS.ProcessEnv = process.env): string {
  const configFolder = env.XDG_CONFIG_HOME || env.APPDATA || join(homedir(), '.config');
  return join(configFolder, 'earshot', 'credentials.json');
}

/** Null without a sign-in, or when the file is damaged. */
export function readCredentials(path: string = credentialsPath()): Credentials | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const found = JSON.parse(text) as Credentials | null;
    return FIELDS.every((field) => typeof found?.[field] === 'string') ? found : null;
  } catch {
    return null;
  }
}

const FIELDS: readonly (keyof Credentials)[] = ['service', 'email', 'apiKey', 'apiKeyId', 'sessionToken'];

export function writeCredentials(credentials: Credentials, path: string = credentialsPath()): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Created with its mode and then renamed, so that others can read it at no moment.
  const partial = `${path}.${process.pid}`;
  try {
    writeFileSync(partial, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    renameSync(partial, path);
  } catch (error) {
    // It holds a valid key.
    rmSync(partial, { force: true });
    throw error;
  }
}

export function deleteCredentials(path: string = credentialsPath()): void {
  rmSync(path, { force: true });
}
