import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DecodeError } from './decode-error.ts';
import { decodeFile } from './decode-file.ts';
import { fixtureWith } from './test/fixture-audio.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'earshot-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An AIFF-C file that names an unknown compression. */
function aifcOf(compression: string): Uint8Array {
  const common = Buffer.alloc(8 + 24);
  common.write('COMM', 0, 'latin1');
  common.writeUInt32BE(24, 4);
  common.writeUInt16BE(1, 8);
  common.writeUInt32BE(100, 10);
  common.writeUInt16BE(16, 14);
  // 8,000 Hz as an 80-bit float.
  common.set([0x40, 0x0b, 0xfa, 0, 0, 0, 0, 0, 0, 0], 16);
  common.write(compression, 26, 'latin1');
  const sound = Buffer.alloc(8 + 8 + 200);
  sound.write('SSND', 0, 'latin1');
  sound.writeUInt32BE(208, 4);
  const head = Buffer.alloc(12);
  head.write('FORM', 0, 'latin1');
  head.writeUInt32BE(4 + common.length + sound.length, 4);
  head.write('AIFC', 8, 'latin1');
  return Buffer.concat([head, common, sound]);
}

describe('a codec name with control characters in the error message', () => {
  it.each([
    ['CAF', fixtureWith('alac.caf', 'alac', 'a\0\u001b<'), 'coded as "a <"'],
    ['M4A', fixtureWith('alac.m4a', 'alac', 'a\0\u001b<'), 'coded as "a <"'],
    ['MKV', fixtureWith('flac.mka', 'A_FLAC', 'A_\0\u001b<b'), 'coded as "A_ <b"'],
    ['AIFF', aifcOf('x\0\u001b<'), 'compression "x <"'],
  ])('%s: has a space in their place', async (name, bytes, words) => {
    const file = path.join(folder, name);
    writeFileSync(file, bytes);
    const failure = await decodeFile(file).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(DecodeError);
    expect((failure as DecodeError).code).toBe('unsupported_format');
    expect((failure as DecodeError).message).toContain(words);
  });
});
