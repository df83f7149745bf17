import { countBegun } from '../music/item-at.ts';
import type { Result } from '../result.ts';
import type { LaneContext } from './drawing.ts';
import { spanOf, toPixels, type Viewport } from './viewport.ts';
import { waveformColours } from './waveform-colours.ts';

type Level = NonNullable<Result['waveform']>['levels'][number];

const secondsOf = (level: Level) => level.samples_per_pixel / level.sample_rate;

/** Levels that have a value for each pixel. */
function fineEnough(levels: readonly Level[], view: Viewport, widthPixels: number): Level[] {
  return levels.filter((level) => secondsOf(level) <= spanOf(view) / widthPixels);
}

/** Whether a finer level would show more. */
export function isTooCoarse(result: Result, view: Viewport, widthPixels: number): boolean {
  const levels = result.waveform?.levels ?? [];
  return levels.length > 0 && fineEnough(levels, view, widthPixels).length === 0;
}

/** The coarsest level that still has a value for each pixel. */
function levelFor(levels: readonly Level[], view: Viewport, widthPixels: number): Level | null {
  const fine = fineEnough(levels, view, widthPixels);
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
  const { pen, view, widthPixels, top, height } = context;
  const level = levelFor(result.waveform?.levels ?? [], view, widthPixels);
  const middle = top + height / 2;
  if (level) {
    const scale = (height / 2 - 4) / largestOf(level);
    const perSecond = level.sample_rate / level.samples_per_pixel;
    const colourAt = waveformColours(result, context.colours);
    for (let x = 0; x < widthPixels; x++) {
      const from = view.startSeconds + (x / widthPixels) * (view.endSeconds - view.startSeconds);
      const to = view.startSeconds + ((x + 1) / widthPixels) * (view.endSeconds - view.startSeconds);
      const { low, high } = peaksOf(level, from * perSecond, to * perSecond);
      pen.fillStyle = colourAt(from - (to - from), to + (to - from));
      const upper = middle - high * scale;
      pen.fillRect(x, upper, 1, Math.max(1, (high - low) * scale));
    }
  }
  drawBeats(context, result);
}

function peaksOf(level: Level, fromPixel: number, toPixel: number): { low: number; high: number } {
  let [low, high] = [0, 0];
  const last = Math.min(level.length - 1, Math.max(Math.floor(fromPixel), Math.ceil(toPixel) - 1));
  for (let pixel = Math.max(0, Math.floor(fromPixel)); pixel <= last; pixel++) {
    for (let channel = 0; channel < level.channels; channel++) {
      const at = 2 * (pixel * level.channels + channel);
      low = Math.min(low, level.data[at]!);
      high = Math.max(high, level.data[at + 1]!);
    }
  }
  return { low, high };
}

/** Beats closer than this are a grey wall: then only bars are drawn, fainter the closer they are, and further out not even those. */
const BEAT_PIXELS_MIN = 5;
const BAR_PIXELS_MIN = 10;
const BAR_PIXELS_PLAIN = 80;

function drawBeats({ pen, view, widthPixels, top, height, colours }: LaneContext, result: Result): void {
  const beats = result.rhythm?.beats ?? [];
  if (beats.length < 2) return;
  const meanSeconds = (beats.at(-1)!.time_seconds - beats[0]!.time_seconds) / (beats.length - 1);
  const beatPixels = (meanSeconds / (view.endSeconds - view.startSeconds)) * widthPixels;
  const barBeats = result.time_signature ?? 4;
  const barPixels = beatPixels * barBeats;
  if (barPixels < BAR_PIXELS_MIN) return;
  const barAlpha = 0.7 * Math.min(1, barPixels / BAR_PIXELS_PLAIN);
  const begun = countBegun(beats, view.startSeconds, (beat) => beat.time_seconds);
  for (let index = Math.max(0, begun - 1); index < beats.length; index++) {
    const beat = beats[index]!;
    if (beat.time_seconds > view.endSeconds) break;
    const downbeat = beat.beat_in_bar === 1;
    if (!downbeat && beatPixels < BEAT_PIXELS_MIN) continue;
    pen.fillStyle = downbeat ? colours.ink : colours.soft;
    pen.globalAlpha = downbeat ? barAlpha : barAlpha / 2;
    const x = toPixels(view, beat.time_seconds, widthPixels);
    const length = downbeat ? height : height * 0.3;
    pen.fillRect(x, top + height - length, 1, length);
  }
  pen.globalAlpha = 1;
}
