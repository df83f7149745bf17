import { expect, it } from 'vitest';
import { curvePlot } from './curve-plot.ts';

const LABELS = ['first target', 'second target', 'this song'];

/** The anchors and heights of the labels in a plot with two close lines and one at `value`. */
function labelsWith(value: number) {
  const { shapes } = curvePlot({
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
  return shapes.flatMap((shape) =>
    shape.kind === 'text' && LABELS.includes(shape.text) ? [{ anchor: shape.anchor, y: shape.y }] : [],
  );
}

it.each(Array.from({ length: 41 }, (_, step) => -28 + step / 2))(
  'the labels do not overlap with a line at %d',
  (value) => {
    const labels = labelsWith(value);
    expect(labels).toHaveLength(LABELS.length);
    labels.forEach((label, index) => {
      for (const other of labels.slice(0, index).filter(({ anchor }) => anchor === label.anchor)) {
        // Text of size 7 needs lines at least 7 points apart.
        expect(Math.abs(label.y - other.y)).toBeGreaterThanOrEqual(7);
      }
    });
  },
);
