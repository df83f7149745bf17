import { formatNumber } from '../format.ts';
import { countBegun } from '../music/item-at.ts';
import { toPixels, type Viewport } from './viewport.ts';

/** How lanes draw: blocks with their labels, and curves. */

export type LaneContext = {
  pen: CanvasRenderingContext2D;
  view: Viewport;
  widthPx: number;
  /** Of the strip, from the top of the canvas. */
  topPx: number;
  heightPx: number;
  colours: Colours;
};

/** Tokens of the style sheet that a lane draws with. */
export const COLOUR_NAMES = [
  'ink',
  'soft',
  'faint',
  'line',
  'paper',
  'raised',
  'accent',
  'playhead',
  'low',
  'mid',
  'high',
  'key-ink',
] as const;
export type Colours = Record<(typeof COLOUR_NAMES)[number], string>;

export const FONT = '11px system-ui, sans-serif';

/** Items with a start and an end, as far as they are in sight. */
export function inSight<T extends { start_seconds: number; end_seconds: number }>(
  items: readonly T[],
  view: Viewport,
): T[] {
  const startOf = ({ start_seconds }: T) => start_seconds;
  const first = Math.max(0, countBegun(items, view.startSeconds, startOf) - 1);
  return items
    .slice(first, countBegun(items, view.endSeconds, startOf))
    .filter(({ end_seconds }) => end_seconds >= view.startSeconds);
}

/** A label that has little room is written smaller before it is left out. */
const SMALL_FONT = '9.5px system-ui, sans-serif';

/** A labelled block; the label stays in sight as long as its block does. */
export function drawBlock(
  { pen, view, widthPx, topPx, heightPx, colours }: LaneContext,
  span: { start_seconds: number; end_seconds: number },
  look: { fill: string; label: string; bold?: boolean; ink?: string; whole?: boolean },
): void {
  // A part of a word tells which it is; a part of a chord's name is another chord.
  const { fill, label, bold = false, ink = colours.ink, whole = false } = look;
  const leftPx = Math.max(0, toPixels(view, span.start_seconds, widthPx));
  const rightPx = Math.min(widthPx, toPixels(view, span.end_seconds, widthPx));
  if (rightPx - leftPx < 0.5) return;
  pen.fillStyle = fill;
  pen.fillRect(leftPx, topPx + 1, Math.max(1, rightPx - leftPx - 1), heightPx - 2);
  const roomPx = rightPx - leftPx - 6;
  if (roomPx < 6) return;
  const weight = bold ? '600 ' : '';
  pen.font = `${weight}${FONT}`;
  if (pen.measureText(label).width > roomPx) pen.font = `${weight}${SMALL_FONT}`;
  const fitting = fitText(pen, label, { roomPx, whole });
  if (fitting === '') return;
  pen.fillStyle = ink;
  pen.textBaseline = 'middle';
  pen.fillText(fitting, leftPx + 4, topPx + heightPx / 2 + 0.5);
}

function fitText(
  pen: CanvasRenderingContext2D,
  text: string,
  { roomPx, whole }: { roomPx: number; whole: boolean },
): string {
  if (pen.measureText(text).width <= roomPx) return text;
  if (whole) return '';
  for (let length = text.length - 1; length > 0; length--) {
    const cut = `${text.slice(0, length)}…`;
    if (pen.measureText(cut).width <= roomPx) return length < 2 ? '' : cut;
  }
  return '';
}

/** One value over time as a line in its strip, with its range at the edge. */
export function drawCurve(
  { pen, view, widthPx, topPx, heightPx, colours }: LaneContext,
  points: readonly (readonly [seconds: number, value: number])[],
  { spanMin, unit, decimals }: { /** In the unit. */ spanMin: number; unit: string; decimals: number },
): void {
  if (points.length < 2) return;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [, value] of points) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const middle = (low + high) / 2;
  const half = Math.max(spanMin, (high - low) * 1.2) / 2;
  const y = (value: number) =>
    topPx + heightPx - 6 - ((value - (middle - half)) / (2 * half)) * (heightPx - 12);
  pen.strokeStyle = colours.accent;
  pen.lineWidth = 1.5;
  pen.beginPath();
  points.forEach(([seconds, value], index) => {
    const x = toPixels(view, seconds, widthPx);
    if (index === 0) pen.moveTo(x, y(value));
    else pen.lineTo(x, y(value));
  });
  pen.stroke();
  pen.font = FONT;
  pen.textBaseline = 'top';
  const write = (text: string, y: number) => {
    // The line goes on behind its labels.
    pen.fillStyle = colours.paper;
    pen.globalAlpha = 0.75;
    pen.fillRect(2, pen.textBaseline === 'top' ? y : y - 12, pen.measureText(text).width + 4, 12);
    pen.globalAlpha = 1;
    pen.fillStyle = colours.soft;
    pen.fillText(text, 4, y);
  };
  write(`${formatNumber(high, decimals)} ${unit}`, topPx + 2);
  pen.textBaseline = 'bottom';
  write(formatNumber(low, decimals), topPx + heightPx - 2);
}
