import { describe, expect, it } from 'vitest';
import { importOptional } from './optional-package.ts';

describe('importOptional', () => {
  it('names the format and the package that is missing', async () => {
    const load = () => Promise.reject(new Error('Cannot find package'));
    await expect(importOptional(load, 'AAC', '@audio/decode-aac')).rejects.toMatchObject({
      code: 'unsupported_format',
      message: expect.stringMatching(/^AAC needs the optional package @audio\/decode-aac/),
    });
  });

  it('gives the module when it is there', async () => {
    expect(await importOptional(() => Promise.resolve({ decoder: 1 }), 'AAC', 'x')).toEqual({ decoder: 1 });
  });
});
