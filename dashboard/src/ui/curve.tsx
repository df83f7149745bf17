import { useEffect, useRef, useState } from 'react';
import { formatClock } from '../format.ts';

type Reference = { value: number; label: string };
const HEIGHT = 140;
const LEFT = 44;
const BOTTOM = 18;
/** One label of the time axis for so many pixels. */
const TICK_PIXELS = 110;

/** One value over time as a line, with labelled horizontal lines to hold it against. */
export function Curve(props: {
  title: string;
  unit: string;
  points: readonly (readonly [seconds: number, value: number])[];
  durationSeconds: number;
  spanMin: number;
  references?: readonly Reference[];
}) {
  const { title, unit, points, durationSeconds, spanMin, references = [] } = props;
  const [figure, width] = useWidth();
  if (points.length < 2) return null;
  const values = [...points.map(([, value]) => value), ...references.map(({ value }) => value)];
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  // Room above the highest line, for its label.
  const pad = Math.max(spanMin - (highest - lowest), 0.2 * (highest - lowest)) / 2;
  const [low, high] = [lowest - pad, highest + pad];
  const x = (seconds: number) => LEFT + (seconds / durationSeconds) * (width - LEFT);
  const y = (value: number) => 8 + (1 - (value - low) / (high - low)) * (HEIGHT - BOTTOM - 16);
  const tickCount = Math.max(2, Math.floor((width - LEFT) / TICK_PIXELS));
  const ticks = Array.from({ length: tickCount + 1 }, (_, index) => (index / tickCount) * durationSeconds);
  return (
    <figure className="card curve" ref={figure}>
      <figcaption>
        {title} <span className="soft">{unit}</span>
      </figcaption>
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${title} from ${lowest.toFixed(1)} to ${highest.toFixed(1)} ${unit}`}
      >
        <title>{title}</title>
        {[low, (low + high) / 2, high].map((value) => (
          <text key={value} x={LEFT - 6} y={y(value) + 4} textAnchor="end">
            {value.toFixed(1)}
          </text>
        ))}
        {ticks.map((seconds) => (
          <text key={seconds} x={x(seconds)} y={HEIGHT - 4} textAnchor={seconds === 0 ? 'start' : 'end'}>
            {formatClock(seconds)}
          </text>
        ))}
        {references.map((reference, index) => (
          <g key={reference.label}>
            <line
              x1={LEFT}
              x2={width}
              y1={y(reference.value)}
              y2={y(reference.value)}
              strokeDasharray="4 4"
            />
            {/* Neighbours are labelled at opposite ends and sides, so that close lines do not write over each other. */}
            <text
              x={index % 2 === 0 ? width : LEFT + 4}
              y={y(reference.value) + (index % 2 === 0 ? -4 : 12)}
              textAnchor={index % 2 === 0 ? 'end' : 'start'}
            >
              {reference.label}
            </text>
          </g>
        ))}
        <polyline
          points={points
            .map(([seconds, value]) => `${x(seconds).toFixed(1)},${y(value).toFixed(1)}`)
            .join(' ')}
        />
      </svg>
    </figure>
  );
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
