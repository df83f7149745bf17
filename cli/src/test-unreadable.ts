import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll } from 'vitest';

/**
 * Makes this call fail for paths with this end during the tests of a file. Not by permissions, because tests may run as root, whom they
 * do not stop; and not by `vi.mock`, which does not reach modules that another test file has loaded in the same process.
 */
export function makeUnreadable(end: string, call: 'readdirSync' | 'statSync' = 'readdirSync'): void {
  const original = fs[call] as (...given: unknown[]) => unknown;
  const replace = (by: typeof original) => {
    Object.assign(fs, { [call]: by });
    syncBuiltinESMExports();
  };
  let isOver = false;
  replace((path, ...rest) => {
    if (!isOver && String(path).endsWith(end)) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    return original(path, ...rest);
  });
  afterAll(() => {
    // Node 20's rmSync keeps for ever the functions that it finds at its first call.
    isOver = true;
    replace(original);
  });
}
