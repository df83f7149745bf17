import { camelotColour } from '../camelot.ts';
import { type ChordSpelling, showChord } from '../music/chords.ts';
import { spellKey } from '../music/spelling.ts';
import { groupColour, indexAt, type Result } from '../result.ts';
import { rulerTimes, toPixels, type Viewport } from './viewport.ts';
import { waveformColours } from './waveform-colours.ts';

/**
 * What stands under each other on the time line. A lane draws its part of the song into its strip of one canvas; it is asked
 * again whenever the view moves, so it touches only what is in sight.
 */

export type LaneName =
  | 'ruler'
  | 'sections'
  | 'waveform'
  | 'chords'
  | 'keys'
  | 'voice'
  | 'tempo'
  | 'loudness'
  | 'spectrogram'
  | 'chromagram';

export const LANE_HEIGHTS: Record<LaneName, number> = {
  ruler: 32,
  sections: 26,
  waveform: 120,
  chords: 28,
  keys: 22,
  voice: 16,
  tempo: 56,
  loudness: 64,
  spectrogram: 120,
  chromagram: 120,
};

export type LaneContext = {
  pen: CanvasRenderingContext2D;
  view: Viewport;
  widthPixels: number;
  /** Of the strip, from the top of the canvas. */
  top: number;
  height: number;
  colours: Colours;
};

export type Colours = Record<
  'ink' | 'soft' | 'faint' | 'line' | 'paper' | 'raised' | 'accent' | 'playhead' | 'low' | 'mid' | 'high',
  string
>;

export type LaneData = {
  result: Result;
  chordSpelling: ChordSpelling;
  pictures: Partial<Record<'spectrogram' | 'chromagram', HTMLImageElement>>;
};

type Lane = (context: LaneContext, data: LaneData) => void;

const BAR_LABEL_PIXELS = 30;
const FONT = '11px system-ui, sans-serif';

/** Items with a start and an end, as far as they are in sight. */
function inSight<T extends { start_seconds: number; end_seconds: number }>(
  items: readonly T[],
  view: Viewport,
): T[] {
  const first = Math.max(
    0,
    indexAt(items, view.startSeconds, (item) => item.start_seconds),
  );
  const found: T[] = [];
  for (let index = first; index < items.length; index++) {
    const item = items[index]!;
    if (item.start_seconds > view.endSeconds) break;
    if (item.end_seconds >= view.startSeconds) found.push(item);
  }
  return found;
}

/** A labelled block; the label stays in sight as long as its block does. */
function drawBlock(
  { pen, view, widthPixels, top, height, colours }: LaneContext,
  span: { start_seconds: number; end_seconds: number },
  {
    fill,
    label,
    bold = false,
    ink = colours.ink,
  }: { fill: string; label: string; bold?: boolean; ink?: string },
): void {
  const left = Math.max(0, toPixels(view, span.start_seconds, widthPixels));
  const right = Math.min(widthPixels, toPixels(view, span.end_seconds, widthPixels));
  if (right - left < 0.5) return;
  pen.fillStyle = fill;
  pen.fillRect(left, top + 1, Math.max(1, right - left - 1), height - 2);
  const room = right - left - 8;
  if (room < 8) return;
  pen.font = bold ? `600 ${FONT}` : FONT;
  const fitting = fitText(pen, label, room);
  if (fitting === '') return;
  pen.fillStyle = ink;
  pen.textBaseline = 'middle';
  pen.fillText(fitting, left + 4, top + height / 2 + 0.5);
}

function fitText(pen: CanvasRenderingContext2D, text: string, roomPixels: number): string {
  if (pen.measureText(text).width <= roomPixels) return text;
  for (let length = text.length - 1; length > 0; length--) {
    const cut = `${text.slice(0, length)}…`;
    if (pen.measureText(cut).width <= roomPixels) return length < 2 ? '' : cut;
  }
  return '';
}

const ruler: Lane = ({ pen, view, widthPixels, top, height, colours }, { result }) => {
  pen.font = FONT;
  pen.textBaseline = 'middle';
  pen.fillStyle = colours.faint;
  for (const seconds of rulerTimes(view, widthPixels, 90)) {
    const x = toPixels(view, seconds, widthPixels);
    pen.fillRect(x, top, 1, 5);
    pen.fillText(clock(seconds), x + 4, top + 9);
  }
  drawBars({ pen, view, widthPixels, top, height, colours }, result);
};

/** Numbers of bars below the times: each, every second, fourth, … as there is room. */
function drawBars({ pen, view, widthPixels, top, height, colours }: LaneContext, result: Result): void {
  const bars = (result.rhythm?.beats ?? []).filter(({ beat_in_bar }) => beat_in_bar === 1);
  if (bars.length < 2) return;
  const barSeconds = (bars.at(-1)!.time_seconds - bars[0]!.time_seconds) / (bars.length - 1);
  const barPixels = (barSeconds / (view.endSeconds - view.startSeconds)) * widthPixels;
  const every = 2 ** Math.max(0, Math.ceil(Math.log2(BAR_LABEL_PIXELS / barPixels)));
  pen.fillStyle = colours.accent;
  for (const bar of bars) {
    if (bar.bar % every !== 0 || bar.time_seconds < view.startSeconds || bar.time_seconds > view.endSeconds)
      continue;
    pen.fillText(String(bar.bar + 1), toPixels(view, bar.time_seconds, widthPixels) + 2, top + height - 9);
  }
}

function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const whole = Math.floor(tenths / 10);
  const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
  return tenths % 10 === 0 ? text : `${text}.${tenths % 10}`;
}

const sections: Lane = (context, { result }) => {
  for (const section of inSight(result.structure?.sections ?? [], context.view)) {
    drawBlock(context, section, {
      fill: `color-mix(in srgb, ${groupColour(section.group)} 24%, ${context.colours.paper})`,
      label: section.label,
      bold: true,
    });
    const x = toPixels(context.view, section.start_seconds, context.widthPixels);
    context.pen.fillStyle = groupColour(section.group);
    context.pen.fillRect(Math.max(0, x), context.top + 1, 2, context.height - 2);
  }
};

type Level = NonNullable<Result['waveform']>['levels'][number];

/** The coarsest level that still has a value for each pixel. */
function levelFor(levels: readonly Level[], view: Viewport, widthPixels: number): Level | null {
  const wanted = (view.endSeconds - view.startSeconds) / widthPixels;
  const secondsOf = (level: Level) => level.samples_per_pixel / level.sample_rate;
  const fine = levels.filter((level) => secondsOf(level) <= wanted);
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

const waveform: Lane = (context, { result }) => {
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
      pen.fillStyle = colourAt(from);
      const upper = middle - high * scale;
      pen.fillRect(x, upper, 1, Math.max(1, (high - low) * scale));
    }
  }
  drawBeats(context, result);
};

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
  const first = Math.max(
    0,
    indexAt(beats, view.startSeconds, (beat) => beat.time_seconds),
  );
  for (let index = first; index < beats.length; index++) {
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

const chords: Lane = (context, { result, chordSpelling }) => {
  for (const chord of inSight(result.tonal?.chords ?? [], context.view)) {
    if (chord.label === 'N') continue;
    drawBlock(context, chord, {
      fill: context.colours.raised,
      label: showChord(chord.label, chordSpelling),
      bold: true,
    });
  }
};

const keys: Lane = (context, { result }) => {
  const changes = result.tonal?.key_changes ?? [];
  for (const change of inSight(changes, context.view)) {
    const notation = change.scale === 'minor' ? `${change.key}m` : change.key;
    const camelot = camelotOf(change.key, change.scale);
    drawBlock(context, change, {
      fill: camelotColour(camelot),
      label: `${spellKey(notation)} · ${camelot}`,
      ink: '#16161c',
    });
  }
};

const PITCHES = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'];

/** Fifths count the hours: C major is 8B, A minor 8A. */
function camelotOf(key: string, scale: string): string {
  const pitch = PITCHES.indexOf(key) + (scale === 'minor' ? 3 : 0);
  const fifths = (pitch * 7) % 12;
  return `${((fifths + 7) % 12) + 1}${scale === 'minor' ? 'A' : 'B'}`;
}

const voice: Lane = (context, { result }) => {
  for (const span of inSight(voiceSpansOf(result), context.view)) {
    drawBlock(context, span, {
      fill: `color-mix(in srgb, ${context.colours.accent} 35%, ${context.colours.paper})`,
      label: span.kind,
    });
  }
};

function voiceSpansOf(result: Result) {
  return result.content?.voice_spans ?? [];
}

/** One value over time as a line in its strip, with its range at the edge. */
function drawCurve(
  { pen, view, widthPixels, top, height, colours }: LaneContext,
  points: readonly (readonly [seconds: number, value: number])[],
  { spanMin, unit, digits }: { spanMin: number; unit: string; digits: number },
): void {
  if (points.length < 2) return;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [, value] of points) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const middle = (low + high) / 2;
  const half = Math.max(spanMin, (high - low) * 1.2) / 2;
  const y = (value: number) => top + height - 6 - ((value - (middle - half)) / (2 * half)) * (height - 12);
  pen.strokeStyle = colours.accent;
  pen.lineWidth = 1.5;
  pen.beginPath();
  points.forEach(([seconds, value], index) => {
    const x = toPixels(view, seconds, widthPixels);
    if (index === 0) pen.moveTo(x, y(value));
    else pen.lineTo(x, y(value));
  });
  pen.stroke();
  pen.font = FONT;
  pen.fillStyle = colours.soft;
  pen.textBaseline = 'top';
  pen.fillText(`${high.toFixed(digits)} ${unit}`, 4, top + 2);
  pen.textBaseline = 'bottom';
  pen.fillText(low.toFixed(digits), 4, top + height - 2);
}

const tempo: Lane = (context, { result }) => {
  const points = (result.rhythm?.tempo_curve ?? []).map((point) => [point.time_seconds, point.bpm] as const);
  drawCurve(context, points, { spanMin: 8, unit: 'BPM', digits: 1 });
};

const loudness: Lane = (context, { result }) => {
  const curve = result.loudness?.short_term;
  if (!curve) return;
  const points = curve.values.flatMap((value, index) =>
    value === null || value < -70 ? [] : [[curve.start_seconds + index * curve.hop_seconds, value] as const],
  );
  drawCurve(context, points, { spanMin: 12, unit: 'LUFS, short-term', digits: 1 });
};

const picture =
  (name: 'spectrogram' | 'chromagram'): Lane =>
  ({ pen, view, widthPixels, top, height, colours }, { result, pictures }) => {
    const image = pictures[name];
    if (!image?.complete || image.naturalWidth === 0) return;
    const perSecond = image.naturalWidth / result.duration_seconds;
    pen.imageSmoothingEnabled = true;
    const left = view.startSeconds * perSecond;
    const across = (view.endSeconds - view.startSeconds) * perSecond;
    pen.drawImage(image, left, 0, across, image.naturalHeight, 0, top, widthPixels, height);
    const labels = name === 'spectrogram' ? ['high', 'low'] : ['B', 'C'];
    pen.font = FONT;
    pen.fillStyle = colours.paper;
    pen.textBaseline = 'top';
    pen.fillText(labels[0]!, 4, top + 3);
    pen.textBaseline = 'bottom';
    pen.fillText(labels[1]!, 4, top + height - 3);
  };

export const LANES: Record<LaneName, Lane> = {
  ruler,
  sections,
  waveform,
  chords,
  keys,
  voice,
  tempo,
  loudness,
  spectrogram: picture('spectrogram'),
  chromagram: picture('chromagram'),
};

/** Lanes that have something to show for this song, in their order. */
export function lanesOf(result: Result, wanted: ReadonlySet<LaneName>): LaneName[] {
  const there: Record<LaneName, boolean> = {
    ruler: true,
    sections: (result.structure?.sections.length ?? 0) > 0,
    waveform: true,
    chords: (result.tonal?.chords.length ?? 0) > 0,
    keys: (result.tonal?.key_changes.length ?? 0) > 1,
    voice: voiceSpansOf(result).length > 0,
    tempo: (result.rhythm?.tempo_curve.length ?? 0) > 1,
    loudness: result.loudness != null,
    spectrogram: true,
    chromagram: true,
  };
  return (Object.keys(LANE_HEIGHTS) as LaneName[]).filter((name) => there[name] && wanted.has(name));
}
