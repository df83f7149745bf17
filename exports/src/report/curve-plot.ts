import { axisLabel, type Plot, plotOverTime, type Shape, timeScale } from './drawing.ts';
import { formatFigure } from './figure.ts';
import { ACCENT, INK, WARNING } from './palette.ts';

/** In the units of drawing.ts. */
const HEIGHT = 92;
const PADDING = 8;
const LABEL_SIZE = 7;
/** From one line of text to the next. */
const LABEL_SPACING = LABEL_SIZE + 1;

type Reference = { value: number; label: string; isStrong?: boolean };
type LabelPlace = { isAtStart: boolean; y: number };

/** One value over time with horizontal reference lines. */
export function curvePlot(input: {
  title: string;
  description: string;
  durationSeconds: number;
  points: readonly (readonly [seconds: number, value: number])[];
  unit: string;
  /** The axis spans at least this much, so that noise does not look like a change. */
  spanMin: number;
  references: readonly Reference[];
}): Plot {
  const values = [...input.points.map(([, value]) => value), ...input.references.map(({ value }) => value)];
  const middle = (Math.max(...values) + Math.min(...values)) / 2;
  const span = Math.max(input.spanMin, Math.max(...values) - Math.min(...values));
  const [low, high] = [middle - span / 2, middle + span / 2];
  const x = timeScale(input.durationSeconds);
  const y = (value: number) => HEIGHT - PADDING - ((value - low) / (high - low)) * (HEIGHT - 2 * PADDING);
  const places = placeLabels(input.references.map(({ value }) => y(value)));
  const references = input.references.flatMap(({ value, label, isStrong }, index): Shape[] => {
    const colour = isStrong ? WARNING : INK;
    const [left, right] = [x(0), x(input.durationSeconds)];
    const { isAtStart, y: labelY } = places[index]!;
    return [
      {
        kind: 'line',
        from: [left, y(value)],
        to: [right, y(value)],
        stroke: colour,
        width: 0.6,
        dashed: true,
      },
      {
        kind: 'text',
        x: isAtStart ? left : right,
        y: labelY,
        text: label,
        size: LABEL_SIZE,
        fill: colour,
        anchor: isAtStart ? 'start' : 'end',
      },
    ];
  });
  const words = { title: `${input.title} (${input.unit})`, description: input.description };
  return plotOverTime(words, input.durationSeconds, HEIGHT, [
    ...references,
    ...[low, middle, high].map((value) => axisLabel(formatFigure(value, span < 20 ? 1 : 0), y(value) + 3)),
    {
      kind: 'polyline',
      points: input.points.map(([seconds, value]) => [x(seconds), y(value)]),
      stroke: ACCENT,
      width: 1.2,
    },
  ]);
}

/** How far the letters of a label extend above and below its baseline, with a gap. */
const LABEL_ASCENT = 6;
const LABEL_DESCENT = 2;

/**
 * Places the label of each line above it at the right, above it at the left, below it, or else beside the nearest line, wherever it
 * first overlaps no earlier label and no line.
 */
function placeLabels(lineYs: readonly number[]): LabelPlace[] {
  const placed: LabelPlace[] = [];
  for (const line of lineYs) {
    const nearestFirst = lineYs.toSorted((one, other) => Math.abs(one - line) - Math.abs(other - line));
    const places = nearestFirst
      .flatMap((near) => [near - LABEL_DESCENT - 1, near + LABEL_ASCENT + 2])
      .flatMap((y) => [
        { isAtStart: false, y },
        { isAtStart: true, y },
      ]);
    const isFree = ({ isAtStart, y }: LabelPlace) =>
      y >= LABEL_SIZE &&
      y <= HEIGHT &&
      placed.every((other) => other.isAtStart !== isAtStart || Math.abs(other.y - y) >= LABEL_SPACING);
    const isClear = ({ y }: LabelPlace) =>
      lineYs.every((other) => other < y - LABEL_ASCENT || other > y + LABEL_DESCENT);
    const free = places.filter(isFree);
    placed.push(free.find(isClear) ?? free[0] ?? places[0]!);
  }
  return placed;
}
