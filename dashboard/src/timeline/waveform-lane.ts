import { countBegun } from '../music/item-at.ts';
import type { Result } from '../result.ts';
import type { LaneContext } from './drawing.ts';
import { spanOf, toPixels, toSeconds, type Viewport } from './viewport.ts';
import { waveformColours } from './waveform-colours.ts';

type Level = NonNullable<Result['waveform']>['levels'][number];

const secondsOf = (level: Level) => level.samples_per_pixel / level.sample_rate;

/** The levels with at least one value per pixel. */
function fineEnough(levels: readonly Level[], view: Viewport, widthPx: number): Level[] {
  return levels.filter((level) => secondsOf(level) <= spanOf(view) / widthPx);
}

/** Whether no level has a value for each pixel, so that a finer one would show more. */
export function isTooCoarse(result: Result, view: Viewport, widthPx: number): boolean {
  const levels = result.waveform?.levels ?? [];
  return levels.length > 0 && fineEnough(levels, view, widthPx).length === 0;
}

/** The coarsest level with a value for each pixel, or else the finest there is; null without levels. */
function levelFor(levels: readonly Level[], view: Viewport, widthPx: number): Level | null {
  const byLength = (candidates: readonly Level[]) =>
    [...candidates].sort((one, other) => secondsOf(one) - secondsOf(other));
  return byLength(fineEnough(levels, view, widthPx)).at(-1) ?? byLength(levels)[0] ?? null;
}

const peaks = new WeakMap<Level, number>();

/** The largest value of a level, cached. The waveform is scaled by it: a quiet song fills the lane too, as loudness is shown in numbers. */
function peakOf(level: Level): number {
  let peak = peaks.get(level);
  if (peak === undefined) {
    // At least 1, or digital silence would be scaled by infinity.
    peak = level.data.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1);
    peaks.set(level, peak);
  }
  return peak;
}

/** Above the highest and below the lowest sample. */
const MARGIN_PX = 4;

/** The waveform, coloured by its spectrum, with lines for beats and bars. */
export function drawWaveform(context: LaneContext, result: Result): void {
  const { pen, view, widthPx, topPx, heightPx } = context;
  const level = levelFor(result.waveform?.levels ?? [], view, widthPx);
  const middlePx = topPx + heightPx / 2;
  if (level) {
    const pxPerUnit = (heightPx / 2 - MARGIN_PX) / peakOf(level);
    const valueSeconds = secondsOf(level);
    const colourAt = waveformColours(result, context.colours);
    for (let xPx = 0; xPx < widthPx; xPx++) {
      const fromSeconds = toSeconds(view, xPx, widthPx);
      const untilSeconds = toSeconds(view, xPx + 1, widthPx);
      const { low, high } = extremesOf(level, fromSeconds / valueSeconds, untilSeconds / valueSeconds);
      // Over three pixels, so that the colour changes smoothly.
      pen.fillStyle = colourAt(2 * fromSeconds - untilSeconds, 2 * untilSeconds - fromSeconds);
      pen.fillRect(xPx, middlePx - high * pxPerUnit, 1, Math.max(1, (high - low) * pxPerUnit));
    }
  }
  drawBeats(context, result);
}

/** The lowest and highest of 0 and the samples between two positions in a level, given in values; values covered in part count whole. */
function extremesOf(level: Level, fromValue: number, toValue: number): { low: number; high: number } {
  let [low, high] = [0, 0];
  const last = Math.min(level.length - 1, Math.max(Math.floor(fromValue), Math.ceil(toValue) - 1));
  for (let value = Math.max(0, Math.floor(fromValue)); value <= last; value++) {
    for (let channel = 0; channel < level.channels; channel++) {
      const index = 2 * (value * level.channels + channel);
      low = Math.min(low, level.data[index]!);
      high = Math.max(high, level.data[index + 1]!);
    }
  }
  return { low, high };
}

/** The mean distance of two beats; null with fewer than two. */
export function meanBeatPx(
  beats: readonly { time_seconds: number }[],
  view: Viewport,
  widthPx: number,
): number | null {
  if (beats.length < 2) return null;
  const meanSeconds = (beats.at(-1)!.time_seconds - beats[0]!.time_seconds) / (beats.length - 1);
  return (meanSeconds / spanOf(view)) * widthPx;
}

/** Closer beats would be a grey wall, and only bars are drawn. Bars closer than `BAR_PX_FULL` are fainter, below `BAR_PX_MIN` left out. */
const BEAT_PX_MIN = 5;
const BAR_PX_MIN = 10;
const BAR_PX_FULL = 80;
/** The line of a beat is shorter than that of a bar, and half as strong. */
const BAR_ALPHA = 0.7;
const BEAT_HEIGHT_FRACTION = 0.3;

function drawBeats({ pen, view, widthPx, topPx, heightPx, colours }: LaneContext, result: Result): void {
  const beats = result.rhythm?.beats ?? [];
  const beatPx = meanBeatPx(beats, view, widthPx);
  if (beatPx === null) return;
  const barPx = beatPx * (result.time_signature ?? 4);
  if (barPx < BAR_PX_MIN) return;
  const barAlpha = BAR_ALPHA * Math.min(1, barPx / BAR_PX_FULL);
  const begun = countBegun(beats, view.startSeconds, (beat) => beat.time_seconds);
  for (let index = Math.max(0, begun - 1); index < beats.length; index++) {
    const beat = beats[index]!;
    if (beat.time_seconds > view.endSeconds) break;
    const downbeat = beat.beat_in_bar === 1;
    if (!downbeat && beatPx < BEAT_PX_MIN) continue;
    pen.fillStyle = downbeat ? colours.ink : colours.soft;
    pen.globalAlpha = downbeat ? barAlpha : barAlpha / 2;
    const leftPx = toPixels(view, beat.time_seconds, widthPx);
    const lengthPx = downbeat ? heightPx : heightPx * BEAT_HEIGHT_FRACTION;
    pen.fillRect(leftPx, topPx + heightPx - lengthPx, 1, lengthPx);
  }
  pen.globalAlpha = 1;
}
