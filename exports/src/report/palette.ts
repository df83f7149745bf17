import { mod } from '../modulo.ts';

/** For paper; the page has a lighter ink and accent in dark mode. */
export const INK = '#5d5d6b';
export const ACCENT = '#4f46e5';
export const WARNING = '#d9480f';

/** By the letter of the repetition group; A has the first colour. Neighbours also differ in lightness, for colour-blind readers. */
const GROUP_COLOURS = [
  '#2563eb',
  '#e8590c',
  '#2b8a3e',
  '#9c36b5',
  '#c2a000',
  '#0b7285',
  '#a61e4d',
  '#5c940d',
];

export function groupColour(group: string): string {
  const index = group.charCodeAt(0) - 'A'.charCodeAt(0);
  return GROUP_COLOURS[mod(index, GROUP_COLOURS.length)]!;
}

/** The stops of a heat map, from dark to bright through violet and orange; channels 0..255. */
const HEAT_STOPS: readonly (readonly [number, number, number])[] = [
  [8, 10, 24],
  [38, 32, 96],
  [108, 38, 120],
  [186, 58, 88],
  [240, 120, 48],
  [252, 206, 96],
  [255, 252, 224],
];

export function heatColour(value: number): readonly [number, number, number] {
  const position = (value / 255) * (HEAT_STOPS.length - 1);
  const index = Math.min(HEAT_STOPS.length - 2, Math.floor(position));
  const share = position - index;
  const [low, high] = [HEAT_STOPS[index]!, HEAT_STOPS[index + 1]!];
  const mix = (channel: 0 | 1 | 2) => Math.round(low[channel] + share * (high[channel] - low[channel]));
  return [mix(0), mix(1), mix(2)];
}
