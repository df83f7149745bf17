import { useRef } from 'react';
import { formatClock, formatNumber } from '../format.ts';
import { rulerTimes } from '../timeline/viewport.ts';
import { useWidthPx } from './use-width-px.ts';

type Line = { name: string; points: readonly (readonly [seconds: number, value: number])[] };
type Reference = { value: number; label: string };

const HEIGHT_PX = 220;
/** For the first render, before the element has been measured. */
const FIRST_WIDTH_PX = 600;
/** Margins for the labels of the axes. */
const LEFT_PX = 36;
const RIGHT_PX = 30;
const TOP_PX = 10;
const BOTTOM_PX = 22;
/** Between a line and its label on the left, or on the right for a reference. */
const LABEL_GAP_PX = 6;
const REFERENCE_GAP_PX = 4;
/** From the middle of a label down to its baseline, and from the lowest baseline to the bottom edge. */
const BASELINE_PX = 4;
/** The least distance between two labels of the time axis. */
const TICK_PX = 90;
/** The value axis has at least this many steps. */
const GRID_STEPS_MIN = 3;

type Props = { title: string; unit: string; lines: readonly Line[]; references: readonly Reference[] };

/** A chart of values over time on one axis, with dashed lines at reference values. */
export function Curves(props: Props) {
  const lines = props.lines.filter(({ points }) => points.length > 1);
  return lines.length === 0 ? null : <Chart {...props} lines={lines} />;
}

function Chart({ title, unit, lines, references }: Props) {
  const figure = useRef<HTMLElement>(null);
  const widthPx = useWidthPx(figure) || FIRST_WIDTH_PX;
  const points = lines.flatMap((line) => line.points);
  const values = [...points.map(([, value]) => value), ...references.map(({ value }) => value)];
  const grid = gridFor(Math.min(...values), Math.max(...values));
  const [low, high] = [grid[0]!, grid.at(-1)!];
  const gridDecimals = grid[1]! - low < 1 ? 1 : 0;
  const durationSeconds = Math.max(...points.map(([seconds]) => seconds));
  const rightPx = widthPx - RIGHT_PX;
  const xPxAt = (seconds: number) => LEFT_PX + (seconds / durationSeconds) * (rightPx - LEFT_PX);
  const yPxAt = (value: number) =>
    TOP_PX + (1 - (value - low) / (high - low)) * (HEIGHT_PX - TOP_PX - BOTTOM_PX);
  const view = { startSeconds: 0, endSeconds: durationSeconds };
  const rule = (value: number) => <line x1={LEFT_PX} x2={rightPx} y1={yPxAt(value)} y2={yPxAt(value)} />;
  return (
    <figure className="card curves" ref={figure}>
      <Caption title={title} unit={unit} lines={lines} />
      <svg
        width={widthPx}
        height={HEIGHT_PX}
        viewBox={`0 0 ${widthPx} ${HEIGHT_PX}`}
        role="img"
        aria-label={`${title} in ${unit}: ${lines.map(describeLine).join('; ')}`}
      >
        <title>{title}</title>
        {grid.map((value) => (
          <g key={value}>
            {rule(value)}
            <text x={LEFT_PX - LABEL_GAP_PX} y={yPxAt(value) + BASELINE_PX} textAnchor="end">
              {formatNumber(value, gridDecimals)}
            </text>
          </g>
        ))}
        {rulerTimes(view, rightPx - LEFT_PX, TICK_PX).map((seconds) => (
          <text key={seconds} x={xPxAt(seconds)} y={HEIGHT_PX - BASELINE_PX} textAnchor="middle">
            {formatClock(seconds)}
          </text>
        ))}
        {references.map(({ value }) => (
          <g key={value} className="curve-reference">
            {rule(value)}
            <text x={rightPx + REFERENCE_GAP_PX} y={yPxAt(value) + BASELINE_PX}>
              {formatNumber(value, 0)}
            </text>
          </g>
        ))}
        {lines.map((line) => (
          <polyline
            key={line.name}
            points={line.points
              .map(([seconds, value]) => `${xPxAt(seconds).toFixed(1)},${yPxAt(value).toFixed(1)}`)
              .join(' ')}
          />
        ))}
      </svg>
      <p className="soft small">
        {references.map(({ value, label }) => `${formatNumber(value, 0)}: ${label}`).join(' · ')}
      </p>
    </figure>
  );
}

function Caption({ title, unit, lines }: Omit<Props, 'references'>) {
  return (
    <figcaption className="spread">
      <span>
        {title} <span className="soft">{unit}</span>
      </span>
      <span className="row curve-names">
        {lines.map(({ name }) => (
          <span key={name} className="small">
            {name}
          </span>
        ))}
      </span>
    </figcaption>
  );
}

function describeLine({ name, points }: Line): string {
  const values = points.map(([, value]) => value);
  return `${name} from ${formatNumber(Math.min(...values), 1)} to ${formatNumber(Math.max(...values), 1)}`;
}

/** The grid values that enclose the given ones, in steps of 1, 2 or 5 times a power of ten. */
export function gridFor(lowest: number, highest: number): number[] {
  const decade = 10 ** Math.floor(Math.log10((highest - lowest || 1) / GRID_STEPS_MIN));
  const step =
    [10, 5, 2, 1]
      .map((factor) => factor * decade)
      .find((candidate) => (highest - lowest) / candidate >= GRID_STEPS_MIN) ?? decade;
  const first = Math.floor(lowest / step);
  const last = Math.max(first + 1, Math.ceil(highest / step));
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}
