import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { childEntry } from './child-process.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { probeSandbox, sandboxedCommand } from './sandbox.ts';

/** Starts the child with `walls`, which makes it exit at once, and prints to standard error whether V8 used the cache. */
const CACHE_PROBE = `
  process.argv = [process.execPath, ${JSON.stringify(childEntry())}, 'walls'];
  process.on('exit', () => require('node:fs').writeSync(2, String(require(process.argv[1]).isFromCache)));
  require(process.argv[1]);
`;

it('V8 uses the code cache of the child with the flags of the sandbox, and not with other flags', async () => {
  const command = sandboxedCommand(await probeSandbox(childEntry()), childEntry(), [], DEFAULT_LIMITS);
  const flags = command.slice(command.lastIndexOf(process.execPath) + 1, -1);
  // The permission flags do not affect V8, and would forbid the probe.
  const ofV8 = flags.filter((flag) => !/permission$|^--allow/.test(flag));
  const cacheAnswer = (...others: string[]): string =>
    spawnSync(process.execPath, [...ofV8, ...others, '-e', CACHE_PROBE], { encoding: 'utf8' }).stderr;
  expect(cacheAnswer()).toBe('true');
  expect(cacheAnswer('--no-opt')).toBe('false');
});
