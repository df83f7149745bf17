import { CAMELOT_KEYS, camelotColour } from '../music/camelot.ts';
import { spellKey } from '../music/spelling.ts';

const HOURS = Array.from({ length: 12 }, (_, index) => index + 1);
const RINGS = [
  { letter: 'B', inner: 66, outer: 98 },
  { letter: 'A', inner: 34, outer: 64 },
] as const;

/** The Camelot wheel, minor inside. Where something can be chosen, every key is a button. */
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
        RINGS.map(({ letter, inner, outer }) => {
          const code = `${hour}${letter}`;
          const angle = (hour / 12) * 2 * Math.PI - Math.PI / 2;
          const middle = (inner + outer) / 2;
          const state = selected.includes(code) ? 'own' : related.includes(code) ? 'mixes' : undefined;
          const press = onToggle
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
            <g key={code} data-state={state} {...press}>
              <path d={slice(hour, inner, outer)} style={{ fill: camelotColour(code) }} />
              <text x={middle * Math.cos(angle)} y={middle * Math.sin(angle) + 3.4} textAnchor="middle">
                {code}
              </text>
            </g>
          );
        }),
      )}
    </svg>
  );
}

/** A piece of a ring, with a hair's breadth to its neighbours. */
function slice(hour: number, inner: number, outer: number): string {
  const gap = 0.012;
  const from = ((hour - 0.5) / 12) * 2 * Math.PI - Math.PI / 2 + gap;
  const to = ((hour + 0.5) / 12) * 2 * Math.PI - Math.PI / 2 - gap;
  const point = (radius: number, angle: number) =>
    `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  return `M ${point(inner, from)} L ${point(outer, from)} A ${outer} ${outer} 0 0 1 ${point(outer, to)} L ${point(inner, to)} A ${inner} ${inner} 0 0 0 ${point(inner, from)} Z`;
}
