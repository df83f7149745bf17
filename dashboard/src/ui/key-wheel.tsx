import { CAMELOT_KEYS, camelotColour } from '../music/camelot.ts';
import { spellKey } from '../music/spelling.ts';

const HOURS = Array.from({ length: 12 }, (_, index) => index + 1);
/** Radii in units of the drawing, which is 200 by 200 with the origin in the middle. */
const RINGS = [
  { letter: 'B', innerUnits: 66, outerUnits: 98 },
  { letter: 'A', innerUnits: 34, outerUnits: 64 },
] as const;
/** Offset of a text's baseline below the middle of its field, so that it looks centred. */
const BASELINE_UNITS = 3.4;

/** The Camelot wheel, with the minor keys inside. With `onToggle`, every key is a checkbox. */
export function KeyWheel(props: {
  selected: readonly string[];
  related?: readonly string[];
  onToggle?: (camelot: string) => void;
}) {
  const { selected, related = [], onToggle } = props;
  const label = `Camelot ${selected.join(', ')}${related.length ? `; mixes with ${related.join(', ')}` : ''}`;
  return (
    <svg
      viewBox="-100 -100 200 200"
      className="wheel"
      role={onToggle ? 'group' : 'img'}
      aria-label={onToggle ? 'Keys' : label}
    >
      {HOURS.flatMap((hour) =>
        RINGS.map(({ letter, innerUnits, outerUnits }) => {
          const code = `${hour}${letter}`;
          const middle = pointAt(hour, (innerUnits + outerUnits) / 2);
          const state = selected.includes(code) ? 'own' : related.includes(code) ? 'mixes' : undefined;
          const checkboxProps = onToggle
            ? {
                role: 'checkbox',
                tabIndex: 0,
                'aria-checked': state === 'own',
                'aria-label': `${code}, ${spellKey(CAMELOT_KEYS[code] ?? '')}`,
                onClick: () => onToggle(code),
                onKeyDown: (event: React.KeyboardEvent) => {
                  if (event.key !== ' ' && event.key !== 'Enter') return;
                  event.preventDefault();
                  onToggle(code);
                },
              }
            : {};
          return (
            <g key={code} data-state={state} {...checkboxProps}>
              <path d={segmentPath(hour, innerUnits, outerUnits)} style={{ fill: camelotColour(code) }} />
              <text x={middle.x} y={middle.y + BASELINE_UNITS} textAnchor="middle">
                {code}
              </text>
            </g>
          );
        }),
      )}
    </svg>
  );
}

/** A point on the wheel; hours are placed as on a clock, 12 at the top. */
function pointAt(hour: number, radiusUnits: number): { x: number; y: number } {
  const angleRadians = (hour / 12) * 2 * Math.PI - Math.PI / 2;
  return { x: radiusUnits * Math.cos(angleRadians), y: radiusUnits * Math.sin(angleRadians) };
}

/** Half of the gap between two keys. */
const HALF_GAP_HOURS = 0.023;

/** The SVG path of one key's field, a segment of a ring. */
function segmentPath(hour: number, innerUnits: number, outerUnits: number): string {
  const point = (radiusUnits: number, atHour: number) => {
    const { x, y } = pointAt(atHour, radiusUnits);
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  };
  const [from, to] = [hour - 0.5 + HALF_GAP_HOURS, hour + 0.5 - HALF_GAP_HOURS];
  return [
    `M ${point(innerUnits, from)} L ${point(outerUnits, from)}`,
    `A ${outerUnits} ${outerUnits} 0 0 1 ${point(outerUnits, to)} L ${point(innerUnits, to)}`,
    `A ${innerUnits} ${innerUnits} 0 0 0 ${point(innerUnits, from)} Z`,
  ].join(' ');
}
