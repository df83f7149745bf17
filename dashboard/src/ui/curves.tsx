import { useEffect, useRef, useState } from 'react';
import { formatClock, formatNumber } from '../format.ts';
import { rulerTimes } from '../timeline/viewport.ts';

type Line = { name: string; points: readonly (readonly [seconds: number, value: number])[] };
type Reference = { value: number; label: string };
const HEIGHT = 220;
const LEFT = 36;
const RIGHT = 30;
const TOP = 10;
const BOTTOM = 22;
/** One label of the time axis for so many pixels. */
const TICK_PIXELS = 90;
/** Lines of the value axis, at least. */
const LINES_MIN = 3;

/** Values over time as lines on one scale, with dashed ones to hold them against. */
export function Curves(props: {
  title: string;
  unit: string;
  lines: readonly Line[];
  references?: readonly Reference[];
}) {
  const { title, unit, references = [] } = props;
  const [figure, width] = useWidth();
  const lines = props.lines.filter(({ points }) => points.length > 1);
  if (lines.length === 0) return null;
  const points = lines.flatMap((line) => line.points);
  const values = [...points.map(([, value]) => value), ...references.map(({ value }) => value)];
  const grid = gridFor(Math.min(...values), Math.max(...values));
  const [low, high] = [grid[0]!, grid.at(-1)!];
  const durationSeconds = Math.max(...points.map(([seconds]) => seconds));
  const x = (seconds: number) => LEFT + (seconds / durationSeconds) * (width - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - (value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const view = { startSeconds: 0, endSeconds: durationSeconds };
  return (
    <figure className="card curves" ref={figure}>
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
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${title} in ${unit}: ${lines.map(describeLine).join('; ')}`}
      >
        <title>{title}</title>
        {grid.map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
              {formatNumber(value, 0)}
            </text>
          </g>
        ))}
        {rulerTimes(view, width - LEFT - RIGHT, TICK_PIXELS).map((seconds) => (
          <text key={seconds} x={x(seconds)} y={HEIGHT - 4} textAnchor="middle">
            {formatClock(seconds)}
          </text>
        ))}
        {references.map(({ value }) => (
          <g key={value} className="curve-reference">
            <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
            <text x={width - RIGHT + 4} y={y(value) + 4}>
              {formatNumber(value, 0)}
            </text>
          </g>
        ))}
        {lines.map((line) => (
          <polyline
            key={line.name}
            points={line.points
              .map(([seconds, value]) => `${x(seconds).toFixed(1)},${y(value).toFixed(1)}`)
              .join(' ')}
          />
        ))}
      </svg>
      {references.length > 0 && (
        <p className="soft small">
          {references.map(({ value, label }) => `${formatNumber(value, 0)}: ${label}`).join(' · ')}
        </p>
      )}
    </figure>
  );
}

function describeLine({ name, points }: Line): string {
  const values = points.map(([, value]) => value);
  return `${name} from ${formatNumber(Math.min(...values), 1)} to ${formatNumber(Math.max(...values), 1)}`;
}

/** Round values around the given ones: by ones, twos, fives, tens and so on. */
export function gridFor(lowest: number, highest: number): number[] {
  const size = 10 ** Math.floor(Math.log10((highest - lowest || 1) / LINES_MIN));
  const step =
    [10, 5, 2, 1].map((factor) => factor * size).find((one) => (highest - lowest) / one >= LINES_MIN) ?? size;
  const first = Math.floor(lowest / step);
  const last = Math.max(first + 1, Math.ceil(highest / step));
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** The room inside of the figure's padding, as it changes with the window. */
function useWidth() {
  const figure = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    if (!figure.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)));
    observer.observe(figure.current);
    return () => observer.disconnect();
  }, []);
  return [figure, width] as const;
}
