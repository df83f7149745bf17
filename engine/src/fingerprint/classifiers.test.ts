import { expect, it } from 'vitest';
import { classifyImage } from './classifiers.ts';

const columnsOf = (count: number, value: number) =>
  Array.from({ length: count }, () => new Float64Array(12).fill(value));

// chromaprint.slow.test.ts compares whole fingerprints with those of fpcalc.

it('gives silence the word that AcoustID knows it by', () => {
  expect([...classifyImage(columnsOf(16, 0))]).toEqual([627_964_279]);
});

it('needs sixteen columns for a word, and one more for each further word', () => {
  expect(classifyImage(columnsOf(15, 0.3))).toHaveLength(0);
  expect(classifyImage(columnsOf(18, 0.3))).toHaveLength(3);
});
