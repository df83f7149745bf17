import { describe, expect, it } from 'vitest';
import { ModelError } from './model-error.ts';
import { getTensor, readModelFile, rememberModelHash } from './model-file.ts';
import { writeModelFile } from './test-model.ts';

/** With `text` of the header replaced by another of the same length. */
function replaceText(file: Uint8Array, text: string, replacement: string): Uint8Array {
  const damaged = Buffer.from(file).toString('latin1').replace(text, replacement);
  expect(damaged).toHaveLength(file.length);
  return new Uint8Array(Buffer.from(damaged, 'latin1'));
}

describe('readModelFile', () => {
  it('returns 32-bit, 16-bit and scaled 8-bit tensors as floats', () => {
    const file = readModelFile(
      writeModelFile(
        { kind: 'anything' },
        {
          plain: { shape: [2, 2], values: [1, -2, 0.5, 3] },
          half: { shape: [3], values: [], dtype: 'f16', bits: [0x3c00, 0xc000, 0x3555] },
          byte: { shape: [2, 2], values: [127, -128, 1, 2], dtype: 'i8', scale: [0.5, 0.25] },
          bytes: { shape: [2], values: [4, -4], dtype: 'i8', scale: 2 },
        },
      ),
    );
    expect([...getTensor(file, 'plain', [2, 2])]).toEqual([1, -2, 0.5, 3]);
    // 0x3555 is the half nearest to a third.
    expect([...getTensor(file, 'half', [3])]).toEqual([1, -2, 0.333251953125]);
    expect([...getTensor(file, 'byte', [2, 2])]).toEqual([63.5, -64, 0.25, 0.5]);
    expect([...getTensor(file, 'bytes', [2])]).toEqual([8, -8]);
    expect(file.architecture).toEqual({ kind: 'anything' });
    expect(file.provenance).toMatchObject({ name: 'test', version: '0' });
    expect(file.provenance.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('uses a hash remembered for the bytes instead of computing it', () => {
    const bytes = writeModelFile({}, {});
    rememberModelHash(bytes, 'known');
    expect(readModelFile(bytes).provenance.sha256).toBe('known');
  });

  it('parses the same bytes only once', () => {
    const bytes = writeModelFile({}, {});
    expect(readModelFile(bytes)).toBe(readModelFile(bytes));
  });

  it('reads a file at any offset of a larger buffer', () => {
    const file = writeModelFile({}, { t: { shape: [1], values: [5] } });
    const larger = new Uint8Array(file.length + 3);
    larger.set(file, 3);
    expect([...getTensor(readModelFile(larger.subarray(3)), 't', [1])]).toEqual([5]);
  });

  it('rejects a damaged, truncated or inconsistent file', () => {
    const file = writeModelFile({}, { t: { shape: [64], values: new Float32Array(64) } });
    expect(() => readModelFile(new Uint8Array(0))).toThrow(ModelError);
    expect(() => readModelFile(file.slice(0, 11))).toThrow('not a model');
    expect(() => readModelFile(Uint8Array.from(file, (byte, at) => (at === 0 ? 0 : byte)))).toThrow(
      'not a model',
    );
    expect(() => readModelFile(file.slice(0, file.length - 16))).toThrow('tensor t lies outside the data');
    expect(() => readModelFile(file.slice(0, 32))).toThrow('truncated or misaligned');
    expect(() => readModelFile(writeModelFile({}, { t: { shape: [3], values: [1, 2] } }))).toThrow(
      'do not hold',
    );
    expect(() => readModelFile(replaceText(file, '"f32"', '"f64"'))).toThrow('do not hold [64] of f64');
    const bytes = (scale?: number[]) => ({
      t: { shape: [2, 1], values: [1, 2], dtype: 'i8' as const, scale },
    });
    expect(() => readModelFile(writeModelFile({}, bytes()))).toThrow('tensor t has no scale for row 0');
    expect(() => readModelFile(writeModelFile({}, bytes([0.5])))).toThrow('tensor t has no scale for row 1');
  });

  it.each([
    ['is no JSON', '{', '['],
    ['has no architecture', '"architecture"', '"architectury"'],
    ['has no tensors', '"tensors"', '"tensorz"'],
    ['has a tensor without a shape', '"shape"', '"shapf"'],
  ])('rejects a file whose header %s', (_name, text, replacement) => {
    const file = writeModelFile({}, { t: { shape: [1], values: [5] } });
    const damaged = replaceText(file, text, replacement);
    expect(() => readModelFile(damaged)).toThrow(new ModelError('the header of the model file is damaged'));
  });

  it('rejects data that does not start at a multiple of 16 bytes', () => {
    const file = writeModelFile({}, { t: { shape: [64], values: new Float32Array(64) } });
    // The lowest byte of the length of the header.
    const misaligned = Uint8Array.from(file, (byte, at) => (at === 8 ? byte ^ 1 : byte));
    expect(() => readModelFile(misaligned)).toThrow(new ModelError('model file is truncated or misaligned'));
  });

  it.each([
    ['before the data', '"offset":16', '"offset":-4'],
    ['after the data', '"offset":16', '"offset":99'],
    [
      'of a negative length',
      '"shape":[64],"dtype":"f32","offset":16,"length":256',
      '"shape":[-4],"dtype":"f32","offset":16,"length":-16',
    ],
    ['without an offset', '"offset":16', '"offsft":16'],
  ])('rejects a tensor %s', (_name, text, replacement) => {
    const file = writeModelFile(
      {},
      { first: { shape: [1], values: [5] }, t: { shape: [64], values: new Float32Array(64) } },
    );
    expect(() => readModelFile(replaceText(file, text, replacement))).toThrow(
      new ModelError('tensor t lies outside the data of the file'),
    );
  });

  it('rejects a missing tensor or an unexpected shape', () => {
    const file = readModelFile(writeModelFile({}, { t: { shape: [2, 3], values: new Float32Array(6) } }));
    expect(() => getTensor(file, 'u', [2, 3])).toThrow('has no tensor u');
    for (const shape of [[3, 2], [2], [2, 3, 1]]) {
      expect(() => getTensor(file, 't', shape)).toThrow(`tensor t is [2,3], expected [${shape}]`);
    }
  });
});
