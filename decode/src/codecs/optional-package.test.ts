import { describe, expect, it } from 'vitest';
import { importOptional } from './optional-package.ts';

/** The error of Node 20 and 24. `what` is the name of a package that is absent, or the path of a main file that is missing. */
const notFound = (what: string) =>
  Object.assign(new Error(`Cannot find package '${what}' imported from /app/child.cjs`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });

describe('importOptional', () => {
  it('names the format and the package that is missing', async () => {
    const load = () => Promise.reject(notFound('@audio/decode-aac'));
    await expect(importOptional(load, 'AAC', '@audio/decode-aac')).rejects.toMatchObject({
      code: 'unsupported_format',
      message:
        'AAC needs the optional package @audio/decode-aac, which is not installed here; send MP3, FLAC, Opus or WAV.',
    });
  });

  it.each([
    ['whose main file is missing', notFound('/app/node_modules/@audio/decode-aac/index.js')],
    ['whose own dependency is missing', notFound('@audio/wasm')],
    ['that does not parse', new SyntaxError('Unexpected token')],
  ])('passes on the error of a package %s', async (_, error) => {
    await expect(importOptional(() => Promise.reject(error), 'AAC', '@audio/decode-aac')).rejects.toBe(error);
  });

  it('gives the module when it is there', async () => {
    expect(await importOptional(() => Promise.resolve({ decoder: 1 }), 'AAC', 'x')).toEqual({ decoder: 1 });
  });
});
