import { expect, it } from 'vitest';
import { corrupt } from '../decode-error.ts';
import { describeFailure } from './describe-failure.ts';

function errorOf(failing: () => unknown): unknown {
  try {
    return failing();
  } catch (error) {
    return error;
  }
}

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
    errorOf(() => new ArrayBuffer(2 ** 50)),
    'out_of_memory',
    'Decoding the file takes more memory than it may.',
  ],
  [
    'memory that WebAssembly refuses',
    errorOf(() => new WebAssembly.Memory({ initial: 1, maximum: 1 }).grow(1)),
    'out_of_memory',
    'Decoding the file takes more memory than it may.',
  ],
  [
    'an array longer than its buffer',
    errorOf(() => new Uint8Array(new ArrayBuffer(8), 0, 9)),
    'corrupt_audio',
    'The audio is damaged and cannot be decoded.',
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
  [
    'a file that a library requires and does not have',
    Object.assign(new Error("Cannot find module './opus.js'"), { code: 'MODULE_NOT_FOUND' }),
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
