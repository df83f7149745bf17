import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { childEntry } from './child-process.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { probeSandbox, sandboxedCommand } from './sandbox.ts';

/** Starts the child, which ends at once when it is asked for its walls, and says on standard error whether V8 took the cache. */
const ASK = `
  process.argv = [process.execPath, ${JSON.stringify(childEntry())}, 'walls'];
  process.on('exit', () => require('node:fs').writeSync(2, String(require(process.argv[1]).isFromCache)));
  require(process.argv[1]);
`;

it('V8 takes the code cache of the child under the flags that the sandbox gives it, and not under others', async () => {
  const command = sandboxedCommand(await probeSandbox(childEntry()), childEntry(), [], DEFAULT_LIMITS);
  const flags = command.slice(command.lastIndexOf(process.execPath) + 1, -1);
  // The permissions are Node's, not V8's, and would refuse the question.
  const ofV8 = flags.filter((flag) => !/permission$|^--allow/.test(flag));
  const isFromCache = (...others: string[]): string =>
    spawnSync(process.execPath, [...ofV8, ...others, '-e', ASK], { encoding: 'utf8' }).stderr;
  expect(isFromCache()).toBe('true');
  expect(isFromCache('--no-opt')).toBe('false');
});
