import { formatClock } from '../format.ts';

type Reference = { value: number; label: string };
const WIDTH = 700;
const HEIGHT = 140;
const LEFT = 44;
const BOTTOM = 18;

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
  if (points.length < 2) return null;
  const values = [...points.map(([, value]) => value), ...references.map(({ value }) => value)];
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const pad = Math.max(0, spanMin - (highest - lowest)) / 2;
  const [low, high] = [lowest - pad, highest + pad];
  const x = (seconds: number) => LEFT + (seconds / durationSeconds) * (WIDTH - LEFT);
  const y = (value: number) => 8 + (1 - (value - low) / (high - low)) * (HEIGHT - BOTTOM - 16);
  const ticks = Array.from({ length: 6 }, (_, index) => (index / 5) * durationSeconds);
  return (
    <figure className="card curve">
      <figcaption>
        {title} <span className="soft">{unit}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
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
              x2={WIDTH}
              y1={y(reference.value)}
              y2={y(reference.value)}
              strokeDasharray="4 4"
            />
            {/* Neighbours are labelled at opposite ends, so that close lines do not write over each other. */}
            <text
              x={index % 2 === 0 ? WIDTH : LEFT + 4}
              y={y(reference.value) - 3}
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
