import { countBegun } from '../music/item-at.ts';
import type { Result } from '../result.ts';
import type { LaneContext } from './drawing.ts';
import { spanOf, toPixels, toSeconds, type Viewport } from './viewport.ts';
import { waveformColours } from './waveform-colours.ts';

type Level = NonNullable<Result['waveform']>['levels'][number];

const secondsOf = (level: Level) => level.samples_per_pixel / level.sample_rate;

/** Levels that have a value for each pixel. */
function fineEnough(levels: readonly Level[], view: Viewport, widthPx: number): Level[] {
  return levels.filter((level) => secondsOf(level) <= spanOf(view) / widthPx);
}

/** Whether a finer level would show more. */
export function isTooCoarse(result: Result, view: Viewport, widthPx: number): boolean {
  const levels = result.waveform?.levels ?? [];
  return levels.length > 0 && fineEnough(levels, view, widthPx).length === 0;
}

/** The coarsest level that still has a value for each pixel. */
function levelFor(levels: readonly Level[], view: Viewport, widthPx: number): Level | null {
  const fine = fineEnough(levels, view, widthPx);
  const pick = (best: Level | null, level: Level) =>
    best === null || secondsOf(level) > secondsOf(best) ? level : best;
  return (
    fine.reduce<Level | null>(pick, null) ??
    [...levels].sort((one, other) => secondsOf(one) - secondsOf(other))[0] ??
    null
  );
}

const largest = new WeakMap<Level, number>();

/** A quiet song fills its lane as a loud one does; how loud it is stands in numbers. */
function largestOf(level: Level): number {
  let found = largest.get(level);
  if (found === undefined) {
    found = level.data.reduce((peak, value) => Math.max(peak, Math.abs(value)), 1);
    largest.set(level, found);
  }
  return found;
}

/** The song as it swings, coloured by its spectrum, with bars and beats over it. */
export function drawWaveform(context: LaneContext, result: Result): void {
  const { pen, view, widthPx, topPx, heightPx } = context;
  const level = levelFor(result.waveform?.levels ?? [], view, widthPx);
  const middlePx = topPx + heightPx / 2;
  if (level) {
    const scale = (heightPx / 2 - 4) / largestOf(level);
    const valueSeconds = secondsOf(level);
    const colourAt = waveformColours(result, context.colours);
    for (let x = 0; x < widthPx; x++) {
      const fromSeconds = toSeconds(view, x, widthPx);
      const untilSeconds = toSeconds(view, x + 1, widthPx);
      const { low, high } = peaksOf(level, fromSeconds / valueSeconds, untilSeconds / valueSeconds);
      // From the pixel before to the one after: neighbours shade into each other.
      pen.fillStyle = colourAt(2 * fromSeconds - untilSeconds, 2 * untilSeconds - fromSeconds);
      pen.fillRect(x, middlePx - high * scale, 1, Math.max(1, (high - low) * scale));
    }
  }
  drawBeats(context, result);
}

/** Of a level's values, of which the first and the last may be touched in part. */
function peaksOf(level: Level, fromValue: number, toValue: number): { low: number; high: number } {
  let [low, high] = [0, 0];
  const last = Math.min(level.length - 1, Math.max(Math.floor(fromValue), Math.ceil(toValue) - 1));
  for (let value = Math.max(0, Math.floor(fromValue)); value <= last; value++) {
    for (let channel = 0; channel < level.channels; channel++) {
      const at = 2 * (value * level.channels + channel);
      low = Math.min(low, level.data[at]!);
      high = Math.max(high, level.data[at + 1]!);
    }
  }
  return { low, high };
}

/** From one beat to the next in the mean; null without two of them. */
export function meanBeatPx(
  beats: readonly { time_seconds: number }[],
  view: Viewport,
  widthPx: number,
): number | null {
  if (beats.length < 2) return null;
  const meanSeconds = (beats.at(-1)!.time_seconds - beats[0]!.time_seconds) / (beats.length - 1);
  return (meanSeconds / spanOf(view)) * widthPx;
}

/** Beats closer than this are a grey wall: then only bars are drawn, fainter the closer they are, and further out not even those. */
const BEAT_PX_MIN = 5;
const BAR_PX_MIN = 10;
const BAR_PX_PLAIN = 80;

function drawBeats({ pen, view, widthPx, topPx, heightPx, colours }: LaneContext, result: Result): void {
  const beats = result.rhythm?.beats ?? [];
  const beatPx = meanBeatPx(beats, view, widthPx);
  if (beatPx === null) return;
  const barPx = beatPx * (result.time_signature ?? 4);
  if (barPx < BAR_PX_MIN) return;
  const barAlpha = 0.7 * Math.min(1, barPx / BAR_PX_PLAIN);
  const begun = countBegun(beats, view.startSeconds, (beat) => beat.time_seconds);
  for (let index = Math.max(0, begun - 1); index < beats.length; index++) {
    const beat = beats[index]!;
    if (beat.time_seconds > view.endSeconds) break;
    const downbeat = beat.beat_in_bar === 1;
    if (!downbeat && beatPx < BEAT_PX_MIN) continue;
    pen.fillStyle = downbeat ? colours.ink : colours.soft;
    pen.globalAlpha = downbeat ? barAlpha : barAlpha / 2;
    const x = toPixels(view, beat.time_seconds, widthPx);
    const lengthPx = downbeat ? heightPx : heightPx * 0.3;
    pen.fillRect(x, topPx + heightPx - lengthPx, 1, lengthPx);
  }
  pen.globalAlpha = 1;
}
