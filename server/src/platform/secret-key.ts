import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The key for sealed secrets when SECRET_KEY is not set: made once, kept in the data directory, readable by its owner
 * only. Losing the file means losing the webhook secrets in the database, so it belongs into the backup.
 */
export function readOrCreateSecretKey(dataDir: string): string {
  const path = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true });
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const candidate = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(candidate, `${randomBytes(32).toString('base64url')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  try {
    // A link never replaces: of two processes that start together, both use the key of the first.
    linkSync(candidate, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(candidate);
  }
  return readFileSync(path, 'utf8').trim();
}
