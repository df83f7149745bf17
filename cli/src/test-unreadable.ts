import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll } from 'vitest';

/**
 * Folders of this name cannot be read while the tests of a file run. Permissions do not stop root, as whom tests may run; and a mocked
 * module is not seen by what another test file of the same process has loaded before.
 */
export function makeUnreadable(name: string): void {
  const { readdirSync } = fs;
  const replace = (by: typeof readdirSync) => {
    fs.readdirSync = by;
    syncBuiltinESMExports();
  };
  replace(((path: unknown, options: { withFileTypes: true }) => {
    if (String(path).endsWith(name)) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    return readdirSync(path as string, options);
  }) as typeof readdirSync);
  afterAll(() => replace(readdirSync));
}
