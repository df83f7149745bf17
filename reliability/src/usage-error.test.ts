import { parseArgs } from 'node:util';
import { expect, it } from 'vitest';
import { isUsageError, UsageError } from './usage-error.ts';

it('takes our error and those of parseArgs for a wrong command line', () => {
  expect.assertions(2);
  expect(isUsageError(new UsageError('no command'))).toBe(true);
  try {
    parseArgs({ args: ['--unknown'] });
  } catch (error) {
    expect(isUsageError(error)).toBe(true);
  }
});

it.each([
  ['without a code', new Error('x')],
  ['with another code', Object.assign(new Error('x'), { code: 'ENOENT' })],
  ['with an exit status as its code', Object.assign(new Error('x'), { code: 1 })],
  ['of a request that took too long', new DOMException('x', 'TimeoutError')],
])('takes an error %s for a failure of the run', (_, error) => {
  expect(isUsageError(error)).toBe(false);
});
