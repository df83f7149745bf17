import { formatNumber } from '../format.ts';
import { countBegun } from '../music/item-at.ts';
import { toPixels, type Viewport } from './viewport.ts';

/** What lanes draw with: labelled blocks and curves. */

export type LaneContext = {
  pen: CanvasRenderingContext2D;
  view: Viewport;
  widthPx: number;
  /** The top of the lane's strip, from the top of the canvas. */
  topPx: number;
  heightPx: number;
  colours: Colours;
};

/** The colour tokens of the style sheet that lanes use. */
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

/** The items that are at least partly in view. */
export function inView<T extends { start_seconds: number; end_seconds: number }>(
  items: readonly T[],
  view: Viewport,
): T[] {
  const startOf = ({ start_seconds }: T) => start_seconds;
  const first = Math.max(0, countBegun(items, view.startSeconds, startOf) - 1);
  return items
    .slice(first, countBegun(items, view.endSeconds, startOf))
    .filter(({ end_seconds }) => end_seconds >= view.startSeconds);
}

/** Tried for a label that is too wide in `FONT`. */
const SMALL_FONT = '9.5px system-ui, sans-serif';

/** Left of a label; half as much is kept free on its right. */
const LABEL_INSET_PX = 4;
const LABEL_PX_MIN = 6;

/** A labelled block. Where it begins left of the view, its label starts at the edge of the view. */
export function drawBlock(
  { pen, view, widthPx, topPx, heightPx, colours }: LaneContext,
  span: { start_seconds: number; end_seconds: number },
  style: {
    fill: string;
    label: string;
    bold?: boolean;
    ink?: string;
    /** Omits a label that does not fit instead of shortening it: part of a chord's name is another chord. */
    whole?: boolean;
  },
): void {
  const { fill, label, bold = false, ink = colours.ink, whole = false } = style;
  const leftPx = Math.max(0, toPixels(view, span.start_seconds, widthPx));
  const rightPx = Math.min(widthPx, toPixels(view, span.end_seconds, widthPx));
  if (rightPx - leftPx < 0.5) return;
  pen.fillStyle = fill;
  pen.fillRect(leftPx, topPx + 1, Math.max(1, rightPx - leftPx - 1), heightPx - 2);
  const roomPx = rightPx - leftPx - 1.5 * LABEL_INSET_PX;
  if (roomPx < LABEL_PX_MIN) return;
  const weight = bold ? '600 ' : '';
  pen.font = `${weight}${FONT}`;
  if (pen.measureText(label).width > roomPx) pen.font = `${weight}${SMALL_FONT}`;
  const fitting = fitText(pen, label, { roomPx, whole });
  if (fitting === '') return;
  pen.fillStyle = ink;
  pen.textBaseline = 'middle';
  pen.fillText(fitting, leftPx + LABEL_INSET_PX, topPx + heightPx / 2 + 0.5);
}

/** The text, shortened to at least two characters and an ellipsis; empty where not even that fits. */
function fitText(
  pen: CanvasRenderingContext2D,
  text: string,
  { roomPx, whole }: { roomPx: number; whole: boolean },
): string {
  if (pen.measureText(text).width <= roomPx) return text;
  if (whole) return '';
  for (let length = text.length - 1; length >= 2; length--) {
    const cut = `${text.slice(0, length)}…`;
    if (pen.measureText(cut).width <= roomPx) return cut;
  }
  return '';
}

const CURVE_MARGIN_PX = 6;
/** The axis is this much longer than the range of the values. */
const CURVE_HEADROOM_RATIO = 1.2;
const LABEL_HEIGHT_PX = 12;

/** A curve with its highest and lowest value as labels. */
export function drawCurve(
  { pen, view, widthPx, topPx, heightPx, colours }: LaneContext,
  points: readonly (readonly [seconds: number, value: number])[],
  options: {
    /** The smallest range of the axis, in `unit`: a nearly constant value must not look like a wild one. */
    spanMin: number;
    unit: string;
    decimals: number;
  },
): void {
  if (points.length < 2) return;
  const { spanMin, unit, decimals } = options;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [, value] of points) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const middle = (low + high) / 2;
  const half = Math.max(spanMin, (high - low) * CURVE_HEADROOM_RATIO) / 2;
  const y = (value: number) =>
    topPx +
    heightPx -
    CURVE_MARGIN_PX -
    ((value - (middle - half)) / (2 * half)) * (heightPx - 2 * CURVE_MARGIN_PX);
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
  const write = (text: string, yPx: number) => {
    // Half-transparent, so that the curve still shows behind its labels.
    pen.fillStyle = colours.paper;
    pen.globalAlpha = 0.75;
    const labelTopPx = pen.textBaseline === 'top' ? yPx : yPx - LABEL_HEIGHT_PX;
    pen.fillRect(2, labelTopPx, pen.measureText(text).width + 4, LABEL_HEIGHT_PX);
    pen.globalAlpha = 1;
    pen.fillStyle = colours.soft;
    pen.fillText(text, 4, yPx);
  };
  write(`${formatNumber(high, decimals)} ${unit}`, topPx + 2);
  pen.textBaseline = 'bottom';
  write(formatNumber(low, decimals), topPx + heightPx - 2);
}
