import { describe, expect, it } from 'vitest';
import { hashSources } from '../../../scripts/wasm-modules.mjs';
import { KERNELS_SOURCE_SHA256 } from './kernels.generated.ts';
import { type CompareRows, createRowComparison } from './sound-kernel.ts';
import { SoundMatrix } from './sound-matrix.ts';

const compareRows = createRowComparison();
const WHOLE = [[0, 2]] as const;
const at = (degrees: number) =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));

describe('SoundMatrix', () => {
  it('returns the song itself, then the nearest by angle, up to the limit', () => {
    const matrix = new SoundMatrix(2, compareRows);
    for (const degrees of [90, 0, 10, 180, 30]) matrix.put(`at ${degrees}`, at(degrees));
    const found = matrix.nearest('at 0', WHOLE, 3)!;
    expect(found.map(({ id }) => id)).toEqual(['at 0', 'at 10', 'at 30']);
    // (1 + cos 30°) / 2, in 32-bit floats.
    expect(found[2]!.similarity).toBeCloseTo((1 + Math.cos(Math.PI / 6)) / 2, 6);
    expect(matrix.nearest('at 0', WHOLE, 9)!.at(-1)).toEqual({ id: 'at 180', similarity: 0 });
  });

  it('compares only the given parts', () => {
    const matrix = new SoundMatrix(4, compareRows);
    matrix.put('a', Float32Array.of(1, 0, 1, 0));
    matrix.put('b', Float32Array.of(1, 0, 0, 1));
    matrix.put('c', Float32Array.of(0, 1, 1, 0));
    expect(matrix.nearest('a', [[0, 2]], 2)!.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(matrix.nearest('a', [[2, 4]], 2)!.map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('compares several parts, and not what is between them', () => {
    const matrix = new SoundMatrix(6, compareRows);
    matrix.put('a', Float32Array.of(1, 0, 1, 0, 1, 0));
    matrix.put('b', Float32Array.of(1, 0, 1, 0, 0, 1));
    matrix.put('c', Float32Array.of(1, 0, 0, 1, 1, 0));
    const found = matrix.nearest(
      'a',
      [
        [0, 2],
        [4, 6],
      ],
      3,
    )!;
    // In the two parts, a and c are equal; a and b have a cosine of a half.
    expect(found.map(({ id }) => id)).toEqual(['a', 'c', 'b']);
    expect(found[2]!.similarity).toBeCloseTo(0.75, 6);
  });

  it('keeps rows separate when one is replaced or removed, and when it grows', () => {
    const matrix = new SoundMatrix(2, compareRows);
    for (let number = 0; number < 500; number++) matrix.put(`${number}`, at(number / 10));
    matrix.remove('0');
    matrix.remove('250');
    matrix.put('300', at(0));
    expect(matrix.nearest('300', WHOLE, 500)).toHaveLength(498);
    expect(matrix.nearest('300', WHOLE, 3)!.map(({ id }) => id)).toEqual(['300', '1', '2']);
    expect(matrix.nearest('250', WHOLE, 3)).toBeNull();
    // A tenth of a degree away the removed 250 is missing; 249 and 253 are equally far.
    const around = matrix.nearest('251', WHOLE, 4)!.map(({ id }) => id);
    expect([around.slice(0, 2), around.slice(2).sort()]).toEqual([
      ['251', '252'],
      ['249', '253'],
    ]);
  });

  it('gives a silent song the neutral similarity', () => {
    const matrix = new SoundMatrix(2, compareRows);
    matrix.put('loud', at(0));
    matrix.put('silent', Float32Array.of(0, 0));
    expect(matrix.nearest('loud', WHOLE, 2)).toEqual([
      { id: 'loud', similarity: 1 },
      { id: 'silent', similarity: 0.5 },
    ]);
  });
});

describe('the kernel', () => {
  it('is built from the current sources', () => {
    expect(KERNELS_SOURCE_SHA256, 'run `npm run wasm`').toBe(hashSources('server/wasm/assembly'));
  });

  it('gives the sums of its twin, over more rows than one block', () => {
    const [stride, rowCount, from, to] = [252, 700, 48, 232];
    const noise = (seed: number) => Math.sin(seed * 12.9898) * Math.cos(seed * 78.233);
    const values = Float32Array.from({ length: stride * rowCount }, (_, at) => noise(at));
    const own = Float32Array.from({ length: stride }, (_, at) => noise(-at));
    const mask = Float32Array.from({ length: stride }, (_, at) => Number(at > 60 && at < 220));
    const { dots, squares } = compareRows({ values, rowCount, stride }, { own, mask, from, to });
    const expected = compareReference({ values, rowCount, stride }, { own, mask, from, to });
    const worst = (a: Float32Array, b: Float32Array) =>
      Math.max(...a.map((sum, row) => Math.abs(sum - b[row]!)));
    // 184 products below 1, summed in 32-bit floats.
    expect(worst(dots, expected.dots)).toBeLessThan(1e-4);
    expect(worst(squares, expected.squares)).toBeLessThan(1e-4);
  });
});

const compareReference: CompareRows = ({ values, rowCount, stride }, { own, mask, from, to }) => {
  const dots = new Float32Array(rowCount);
  const squares = new Float32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    let [dot, square] = [0, 0];
    for (let at = from; at < to; at++) {
      const value = values[row * stride + at]!;
      dot += own[at]! * value;
      square += mask[at]! * value * value;
    }
    [dots[row], squares[row]] = [dot, square];
  }
  return { dots, squares };
};
