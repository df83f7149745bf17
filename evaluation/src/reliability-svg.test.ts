import { expect, it } from 'vitest';
import { drawReliability } from './reliability-svg.ts';

it('draws confidence to the right, accuracy upwards, and larger dots for more answers', () => {
  const curve = [
    { count: 75, meanConfidence: 0, accuracy: 1 },
    { count: 25, meanConfidence: 0.5, accuracy: 0 },
  ];
  const svg = drawReliability({
    ...{ corpus: 'dev', ears: 'learned', models: [], means: [], songs: {}, answers: {} },
    calibration: {
      key: { answers: 100, expectedCalibrationError: 0.875, curve },
      tempo: {
        answers: 4,
        expectedCalibrationError: 0,
        curve: [{ count: 4, meanConfidence: 1, accuracy: 1 }],
      },
    },
  });
  const dots = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g)].map((dot) =>
    dot.slice(1).map(Number),
  );
  // The square is 180 px wide and 30 px from the edges. The radius is 3 px and 9 times the root of the share: .75 and .25.
  expect(dots).toEqual([
    [30, 30, 10.8],
    [120, 210, 7.5],
    // The next square begins 30 px beside the first, at 240 px.
    [420, 30, 12],
  ]);
  expect(svg).toContain('viewBox="0 0 450 240"');
  expect(svg).toContain('>key, n=100</text>');
});
