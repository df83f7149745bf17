import { expect, it } from 'vitest';
import { corrupt } from '../decode-error.ts';
import { describeFailure } from './describe-failure.ts';

it.each([
  ['a DecodeError', corrupt('The header is damaged.'), 'corrupt_audio', 'The header is damaged.'],
  [
    'any other error',
    new TypeError('x is undefined'),
    'corrupt_audio',
    'The audio is damaged and cannot be decoded.',
  ],
  ['a thrown string', 'unreachable', 'corrupt_audio', 'The audio is damaged and cannot be decoded.'],
  [
    'memory that V8 refuses',
    new RangeError('Array buffer allocation failed'),
    'out_of_memory',
    'Decoding the file takes more memory than it may.',
  ],
  [
    'a range that the file exceeds',
    new RangeError('Offset is outside the bounds'),
    'corrupt_audio',
    'The audio is damaged and cannot be decoded.',
  ],
  [
    'a library that is not installed',
    Object.assign(new Error("Cannot find package 'opus-decoder'"), { code: 'ERR_MODULE_NOT_FOUND' }),
    'decoder_failed',
    'The decoder failed.',
  ],
])('%s', (_, error, code, message) => {
  expect(describeFailure(error)).toMatchObject({ code, message });
});

it('keeps the cause of an error for the log', () => {
  expect(describeFailure(corrupt('The header is damaged.', new Error('bad magic'))).detail).toContain(
    'bad magic',
  );
});
