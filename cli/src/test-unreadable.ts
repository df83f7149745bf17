import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll } from 'vitest';

/**
 * Makes reading a folder of this name fail during the tests of a file. Not by permissions, because tests may run as root, whom they
 * do not stop; and not by `vi.mock`, which does not reach modules that another test file has loaded in the same process.
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
