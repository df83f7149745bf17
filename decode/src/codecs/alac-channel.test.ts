import { describe, expect, it } from 'vitest';
import { BitReader } from '../stream/bit-reader.ts';
import { packBits } from '../test/pack-bits.ts';
import { accumulate, decodeGolomb, predict } from './alac-channel.ts';

/**
 * Streams and samples computed by hand. Apple's reference decoder, compiled, gives the same, except for the lowest 32-bit value, which
 * overflows to 0 in it.
 */

/** The codes are written as bits, with a space between their parts. */
function decodeCodes(codes: string[], sampleCount: number, settings = {}, sampleBits = 16): number[] | null {
  const bits = codes.join('').replaceAll(' ', '');
  const reader = new BitReader(packBits([...bits].map((bit) => [Number(bit), 1])));
  const defaults = { history: 10, multiplier: 40, riceLimit: 14 };
  const values = decodeGolomb(reader, sampleCount, sampleBits, { ...defaults, ...settings });
  if (values) expect(reader.bitPosition).toBe(bits.length);
  return values && [...values];
}

const PREFIX = '111111111';
const uncoded = (value: number, bitCount: number) => `${PREFIX} ${value.toString(2).padStart(bitCount, '0')}`;
const zeros = (count: number): number[] => new Array(count).fill(0);

describe('values', () => {
  it('are coded with more remainder bits the louder the signal has been', () => {
    // 20,000 / 512 + 3 is 42: five bits, a one counts 31. Value 70 is 2 · 31 + 8. The history grows by 40 · 70 − 40 · 20,000 / 512, to
    // 21,238: five bits again. Value 62 is 2 · 31: the remainder is zero, one bit shorter, also before a one. Value 34 is 31 + 3.
    expect(decodeCodes(['110 01001', '110 0000', '10 00100'], 3, { history: 20_000 })).toEqual([35, 31, 17]);
  });

  it('take at most as many remainder bits as the Rice limit', () => {
    // Three bits, a one counts 7: value 20 is 2 · 7 + 6, value 3 is 3.
    expect(decodeCodes(['110 111', '0 100'], 2, { history: 20_000, riceLimit: 3 })).toEqual([10, -2]);
    // One bit: as many ones as the value.
    expect(decodeCodes(['11111 0', '0'], 2, { history: 20_000, riceLimit: 1 })).toEqual([-3, 0]);
  });

  it.each([
    [16, 0xffff, -0x8000],
    [24, 0xff_fffe, 0x7f_ffff],
    [25, 0x1ff_ffff, -0x100_0000],
    [32, 0xffff_fffe, 0x7fff_ffff],
    [32, 0xffff_ffff, -0x8000_0000],
    [32, 0x8000_0000, 0x4000_0000],
    [32, 0x7fff_ffff, -0x4000_0000],
  ])('of %i bits follow nine ones uncoded: %i is %i', (sampleBits, value, sample) => {
    const codes = [uncoded(value, sampleBits), uncoded(value, sampleBits)];
    expect(decodeCodes(codes, 2, {}, sampleBits)).toEqual([sample, sample]);
  });

  it('are one higher than their code directly after a run of zeros, also at 32 bits', () => {
    // A zero, and with a history of 10 a run of none: four remainder bits, of which a zero takes three.
    const start = ['0', '0 000'];
    const code = uncoded(0xffff_fffd, 32);
    expect(decodeCodes([...start, code, code], 3, {}, 32)).toEqual([0, 0x7fff_ffff, -0x7fff_ffff]);
    expect(decodeCodes([...start, uncoded(0xffff_fffe, 32)], 2, {}, 32)).toEqual([0, -0x8000_0000]);
    // No encoder writes 2³², a value of 33 bits. Half of it is the lowest sample, as in any sum of 32 bits.
    expect(decodeCodes([...start, uncoded(0xffff_ffff, 32)], 2, {}, 32)).toEqual([0, -0x8000_0000]);
  });

  it('are refused where the packet ends within a code', () => {
    expect(decodeCodes([PREFIX], 1)).toBeNull();
  });
});

describe('runs of zeros', () => {
  it('are coded with fewer remainder bits the louder the signal has been', () => {
    const codes = [
      '0',
      // History 10: four bits, a one counts 15; 20 is 15 + 5.
      '10 0110',
      // After the run a history of 0, one bit; value 2 has code 1. History 80: two bits, a one counts 3; no zeros.
      '10',
      '0 0',
      // Value 1 has code 0. History 40: two bits; 8 is 2 · 3 + 2.
      '0',
      '110 11',
    ];
    expect(decodeCodes(codes, 31)).toEqual([0, ...zeros(20), 1, -1, ...zeros(8)]);
  });

  it.each([
    ['254 with eight bits', 254, '0 11111111'],
    ['255, which is 1 · 255', 255, '10 0000000'],
    ['2,294, the longest that is coded', 2294, '111111110 11111111'],
    ['2,295 uncoded', 2295, uncoded(2295, 16)],
    ['65,534 uncoded', 65_534, uncoded(65_534, 16)],
  ])('%s', (_, run, code) => {
    // The value after the run is not zero: code 0 is −1.
    expect(decodeCodes(['0', code, '0'], run + 2, { history: 0 })).toEqual([...zeros(run + 1), -1]);
  });

  it('of 65,535 are the longest, so another zero may follow', () => {
    const codes = ['0', uncoded(65_535, 16), '0', '0 0000000', '0'];
    expect(decodeCodes(codes, 65_538, { history: 0 })).toEqual([...zeros(65_537), -1]);
  });

  it.each([
    // The remainder takes eight bits whatever the limit is, and a one counts 2^limit − 1.
    [14, 258, '10 00000100'],
    [8, 258, '10 00000100'],
    [7, 258, '110 00000101'],
    [6, 258, '11110 00000111'],
    [5, 258, '111111110 00001011'],
    [3, 20, '110 00000111'],
    [2, 20, '1111110 00000011'],
    [1, 5, '111110 0000000'],
    [1, 8, '111111110 0000000'],
    [1, 9, uncoded(9, 16)],
  ])('with a Rice limit of %i: %i as %s', (riceLimit, run, code) => {
    const values = decodeCodes(['0', code, '0'], run + 2, { history: 0, riceLimit });
    expect(values).toEqual([...zeros(run + 1), -1]);
  });

  it('are refused beyond the last sample', () => {
    expect(decodeCodes(['0', '0 00000101'], 5, { history: 0 })).toEqual(zeros(5));
    expect(decodeCodes(['0', '0 00000110'], 5, { history: 0 })).toBeNull();
  });
});

/** Each sample is the sum of the residuals up to it. */
const SUMS = { residuals: [5, 1, 1, -3, 0], samples: [5, 6, 7, 4, 4] };

describe('accumulate', () => {
  it('predicts the previous sample', () => {
    const samples = Int32Array.from(SUMS.residuals);
    accumulate(samples, 16);
    expect([...samples]).toEqual(SUMS.samples);
  });

  it.each([
    [16, [32_767, 1, -1], [32_767, -32_768, 32_767]],
    [17, [32_767, 1, -1], [32_767, 32_768, 32_767]],
    [32, [2 ** 31 - 1, 1, -1], [2 ** 31 - 1, -(2 ** 31), 2 ** 31 - 1]],
  ])('wraps in samples of %i bits', (sampleBits, residuals, expected) => {
    const samples = Int32Array.from(residuals);
    accumulate(samples, sampleBits);
    expect([...samples]).toEqual(expected);
  });
});

describe('predict', () => {
  const predicted = (residuals: number[], coefficients: Int16Array, shiftBits: number, sampleBits = 16) => {
    const samples = Int32Array.from(residuals);
    predict(samples, coefficients, shiftBits, sampleBits);
    return [...samples];
  };

  it('leaves the residuals as they are with order 0', () => {
    expect(predicted(SUMS.residuals, new Int16Array(0), 9)).toEqual(SUMS.residuals);
  });

  it('predicts the previous sample with order 31, whatever the coefficients are', () => {
    const coefficients = Int16Array.from({ length: 31 }, (_, k) => 1000 - 70 * k);
    const residuals = [...SUMS.residuals, ...zeros(40), 1, -2];
    expect(predicted(residuals, coefficients, 9)).toEqual([...SUMS.samples, ...zeros(40).fill(4), 5, 3]);
    expect(coefficients[0]).toBe(1000);
  });

  it.each([4, 5, 30])('predicts the previous sample until there are enough samples for order %i', (order) => {
    expect(predicted(SUMS.residuals, new Int16Array(order).fill(77), 4)).toEqual(SUMS.samples);
  });

  it('weighs how far the last sample differs from the one before it, and corrects the weight', () => {
    // 24 sixteenths of a difference. 16 − 10 = 6: predicted 10 + 9, 24 is 5 more, weight 25. 24 − 16 = 8: 16 + 13, 26 is 3 less,
    // weight 24. 26 − 24 = 2: 24 + 3, and no error. 27 − 26 = 1: 26 + 2, 30 is 2 more, weight 25.
    const coefficients = Int16Array.of(24);
    expect(predicted([10, 6, 5, -3, 0, 2], coefficients, 4)).toEqual([10, 16, 24, 26, 27, 30]);
    expect([...coefficients]).toEqual([25]);
  });

  it('weighs the differences of several samples', () => {
    // Halves. 2 · 20: predicted 0 + 20, 21 is 1 more, the older weight 1. 2 · 11 + 10: 10 + 16, 29 is 3 more, the older weight 2.
    // 2 · 9 + 2 · 1: 20 + 10, −10 is 40 less, both weights 1.
    const coefficients = Int16Array.of(2, 0);
    expect(predicted([0, 10, 10, 1, 3, -40], coefficients, 1)).toEqual([0, 10, 20, 21, 29, -10]);
    expect([...coefficients]).toEqual([1, 1]);
  });

  it.each([
    // Once half of 4 and twice half of 6 make up for 8, not for 9.
    [8, [4, 6, 2], [1, 1, 0]],
    [9, [4, 6, 2], [1, 1, 1]],
    [8, [-4, 6, 2], [-1, 1, 0]],
    [8, [0, 8, 2], [0, 1, 0]],
    // Halves are rounded down, to −1 and −5.
    [-11, [1, 9, 2], [-1, -1, 0]],
    [-12, [1, 9, 2], [-1, -1, -1]],
  ])(
    'for an error of %i after differences of %j corrects the weights by %j, the oldest first, until that makes up for the error',
    (error, differences, corrections) => {
      const [oldest, middle, newest] = differences as [number, number, number];
      const coefficients = new Int16Array(3);
      const samples = predicted([0, oldest, middle - oldest, newest - middle, error], coefficients, 1);
      expect(samples).toEqual([0, ...differences, error]);
      expect([...coefficients].reverse()).toEqual(corrections);
    },
  );

  it('wraps differences and samples of 32 bits', () => {
    // The highest is −1 from the lowest: the prediction, 1 below the lowest, is the highest, and 1 more is the lowest. The weight falls.
    const [lowest, highest] = [-(2 ** 31), 2 ** 31 - 1];
    const coefficients = Int16Array.of(2);
    expect(predicted([lowest, -1, 1], coefficients, 1, 32)).toEqual([lowest, highest, lowest]);
    expect([...coefficients]).toEqual([1]);
  });
});
