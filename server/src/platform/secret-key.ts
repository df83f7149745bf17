import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileOnce } from './create-file-once.ts';
import { ConfigError } from './environment.ts';

/** Of SECRET_KEY as well (config.ts). */
export const KEY_CHARACTERS_MIN = 32;
/** 256 bits, as many as the keys derived from it (crypto.ts). */
const NEW_KEY_BYTES = 32;

/**
 * The key that encrypts secrets when SECRET_KEY is not set, created once in the data directory and readable only by its owner. Without
 * the file, the webhook secrets in the database are lost: it belongs in the backup.
 */
export function readOrCreateSecretKey(dataDir: string): string {
  const path = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true });
  try {
    return readKey(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  createFileOnce(path, `${randomBytes(NEW_KEY_BYTES).toString('base64url')}\n`);
  return readKey(path);
}

/** Refuses a file that a full disk or a bad copy left empty: secrets would be encrypted with a key that anyone can guess. */
function readKey(path: string): string {
  const key = readFileSync(path, 'utf8').trim();
  if (key.length >= KEY_CHARACTERS_MIN) return key;
  throw new ConfigError([
    `${path} holds ${key.length} characters, which is no key. Restore it from the backup: what it sealed cannot be read without it. If there is nothing to keep, delete the file, and a new key is made`,
  ]);
}
