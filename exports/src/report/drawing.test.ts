import { expect, it } from 'vitest';
import { plotOverTime, timeScale } from './drawing.ts';

/** The labels of the time axis with their x, which is 44 at the start of the song and 746 at its end. */
function labelsOf(durationSeconds: number) {
  const { shapes } = plotOverTime({ title: '', description: '' }, durationSeconds, 100, []);
  return shapes.flatMap((shape) =>
    shape.kind === 'text' ? [[shape.text, Math.round(shape.x)] as const] : [],
  );
}

it.each([
  [4, ['0:00', '0:01', '0:02', '0:03', '0:04']],
  [
    12,
    ['0:00', '0:01', '0:02', '0:03', '0:04', '0:05', '0:06', '0:07', '0:08', '0:09', '0:10', '0:11', '0:12'],
  ],
  [13, ['0:00', '0:02', '0:04', '0:06', '0:08', '0:10', '0:12']],
  [185, ['0:00', '0:30', '1:00', '1:30', '2:00', '2:30', '3:00']],
  [
    7200,
    [
      '0:00',
      '10:00',
      '20:00',
      '30:00',
      '40:00',
      '50:00',
      '1:00:00',
      '1:10:00',
      '1:20:00',
      '1:30:00',
      '1:40:00',
      '1:50:00',
      '2:00:00',
    ],
  ],
  [
    4 * 3600,
    [
      '0:00',
      '20:00',
      '40:00',
      '1:00:00',
      '1:20:00',
      '1:40:00',
      '2:00:00',
      '2:20:00',
      '2:40:00',
      '3:00:00',
      '3:20:00',
      '3:40:00',
      '4:00:00',
    ],
  ],
  [7 * 3600, ['0:00', '1:00:00', '2:00:00', '3:00:00', '4:00:00', '5:00:00', '6:00:00', '7:00:00']],
])(
  'the time axis of %d s has labels in whole steps, with at most twelve distances between them',
  (seconds, labels) => {
    expect(labelsOf(seconds).map(([text]) => text)).toEqual(labels);
  },
);

it('each label of the time axis is at its time', () => {
  expect(labelsOf(4)).toEqual([
    ['0:00', 44],
    ['0:01', 220],
    ['0:02', 395],
    ['0:03', 571],
    ['0:04', 746],
  ]);
});

it('each label has a tick below the axis line', () => {
  const { shapes, height } = plotOverTime({ title: '', description: '' }, 2, 100, []);
  const lines = shapes.flatMap((shape) => (shape.kind === 'line' ? [[shape.from, shape.to]] : []));
  expect(lines).toEqual([
    [
      [44, 100],
      [746, 100],
    ],
    [
      [44, 100],
      [44, 103],
    ],
    [
      [395, 100],
      [395, 103],
    ],
    [
      [746, 100],
      [746, 103],
    ],
  ]);
  expect(height).toBe(118);
});

it('everything is at the start of a plot without length', () => {
  expect(timeScale(0)(0)).toBe(44);
});
