import { expect, it } from 'vitest';
import { curvePlot } from './curve-plot.ts';

/** Where a third line may lie, in halves of a unit. */
const STEPS = Array.from({ length: 41 }, (_, step) => -28 + step / 2);
const LABELS = ['first target', 'second target', 'this song'];

/** A plot with two close lines and one at `value`. */
function plotWith(value: number) {
  return curvePlot({
    title: 'Loudness',
    description: '',
    durationSeconds: 60,
    points: [
      [0, -30],
      [60, -10],
    ],
    unit: 'LUFS',
    spanMin: 20,
    references: [-14, -16, value].map((line, index) => ({ value: line, label: LABELS[index]! })),
  });
}

/** The anchors and heights of the labels. */
function labelsWith(value: number) {
  return plotWith(value).shapes.flatMap((shape) =>
    shape.kind === 'text' && LABELS.includes(shape.text) ? [{ anchor: shape.anchor, y: shape.y }] : [],
  );
}

it.each(STEPS)('the labels do not overlap with a line at %d', (value) => {
  const labels = labelsWith(value);
  expect(labels).toHaveLength(LABELS.length);
  labels.forEach((label, index) => {
    for (const other of labels.slice(0, index).filter(({ anchor }) => anchor === label.anchor)) {
      // Text of size 7 needs lines at least 7 units apart.
      expect(Math.abs(label.y - other.y)).toBeGreaterThanOrEqual(7);
    }
  });
});

it.each(STEPS)('no label touches a line with a line at %d', (value) => {
  const { shapes } = plotWith(value);
  const lineYs = shapes.flatMap((shape) => (shape.kind === 'line' && shape.dashed ? [shape.from[1]] : []));
  expect(lineYs).toHaveLength(LABELS.length);
  for (const { y } of labelsWith(value)) {
    // Letters of size 7 reach 5.3 above their foot and 1.7 below it; less than half a unit between is no gap to the eye.
    expect(lineYs.filter((line) => line > y - 5.8 && line < y + 2.2)).toEqual([]);
  }
});

it('draws the curve over the whole width, and over the height that its values or the least span need', () => {
  const curve = (values: [number, number], spanMin: number) => {
    const points = values.map((value, index) => [60 * index, value] as const);
    const input = { title: '', description: '', durationSeconds: 60, unit: '', references: [] };
    return curvePlot({ ...input, points, spanMin }).shapes.find((shape) => shape.kind === 'polyline');
  };
  // From 8 units below the top of 92 to 8 above its bottom; x runs from 44 to 746 in every plot.
  expect(curve([-30, -10], 20)).toMatchObject({
    points: [
      [44, 84],
      [746, 8],
    ],
  });
  expect(curve([-30, -10], 40)).toMatchObject({
    points: [
      [44, 65],
      [746, 27],
    ],
  });
});
