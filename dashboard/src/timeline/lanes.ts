import { formatClock } from '../format.ts';
import { camelotColour, camelotOf } from '../music/camelot.ts';
import { showChord } from '../music/chords.ts';
import { groupColour } from '../music/sections.ts';
import { spellKey } from '../music/spelling.ts';
import { type Result, shownChords } from '../result.ts';
import { drawBlock, drawCurve, FONT, inView, type LaneContext } from './drawing.ts';
import { drawPicture, type PictureName } from './picture-lanes.ts';
import { rulerTimes, spanOf, toPixels } from './viewport.ts';
import { drawWaveform } from './waveform-lane.ts';

/** The lanes of the time line. Each draws one strip of the canvas, again on every change of the view. */

/** In their order from top to bottom. */
export const LANE_HEIGHTS_PX = {
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

export type LaneName = keyof typeof LANE_HEIGHTS_PX;

export type LaneData = {
  result: Result;
  /** The transposition of chord names, in steps on the line of fifths. */
  chordFifths: number;
  /** Those that have loaded. */
  pictures: Partial<Record<PictureName, HTMLImageElement>>;
};

type Lane = (context: LaneContext, data: LaneData) => void;

/** The least distance between two labels of a kind: their width and a gap. */
const TIME_LABEL_PX = 90;
const BAR_LABEL_PX = 30;

const ruler: Lane = (context, { result }) => {
  const { pen, view, widthPx, topPx, colours } = context;
  pen.font = FONT;
  pen.textBaseline = 'middle';
  pen.fillStyle = colours.faint;
  for (const seconds of rulerTimes(view, widthPx, TIME_LABEL_PX)) {
    const x = toPixels(view, seconds, widthPx);
    pen.fillRect(x, topPx, 1, 5);
    const label = formatTenths(seconds);
    // A time cut off by the edge would read as another time.
    if (x + 4 + pen.measureText(label).width <= widthPx) pen.fillText(label, x + 4, topPx + 9);
  }
  drawBars(context, result);
};

/** Bar numbers below the times: every one, or every second, fourth, eighth and so on where there is less room. */
function drawBars({ pen, view, widthPx, topPx, heightPx, colours }: LaneContext, result: Result): void {
  const bars = (result.rhythm?.beats ?? []).filter(({ beat_in_bar }) => beat_in_bar === 1);
  if (bars.length < 2) return;
  const barSeconds = (bars.at(-1)!.time_seconds - bars[0]!.time_seconds) / (bars.length - 1);
  const barPx = (barSeconds / spanOf(view)) * widthPx;
  const every = 2 ** Math.max(0, Math.ceil(Math.log2(BAR_LABEL_PX / barPx)));
  pen.fillStyle = colours.accent;
  for (const bar of bars) {
    if (bar.bar % every !== 0 || bar.time_seconds < view.startSeconds || bar.time_seconds > view.endSeconds)
      continue;
    pen.fillText(String(bar.bar + 1), toPixels(view, bar.time_seconds, widthPx) + 2, topPx + heightPx - 9);
  }
}

function formatTenths(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const text = formatClock(Math.floor(tenths / 10));
  return tenths % 10 === 0 ? text : `${text}.${tenths % 10}`;
}

const sections: Lane = (context, { result }) => {
  for (const section of inView(result.structure?.sections ?? [], context.view)) {
    drawBlock(context, section, {
      fill: `color-mix(in srgb, ${groupColour(section.group)} 24%, ${context.colours.paper})`,
      label: section.label,
      bold: true,
    });
    const x = toPixels(context.view, section.start_seconds, context.widthPx);
    context.pen.fillStyle = groupColour(section.group);
    context.pen.fillRect(Math.max(0, x), context.topPx + 1, 2, context.heightPx - 2);
  }
};

const waveform: Lane = (context, { result }) => drawWaveform(context, result);

/** When chords are narrower than this on average, hardly any has room for its name. */
const CHORD_PX_MIN = 13;

const chords: Lane = (context, { result, chordFifths }) => {
  const { pen, view, widthPx, topPx, heightPx, colours } = context;
  const visible = inView(shownChords(result), view).filter(({ label }) => label !== 'N');
  const totalSeconds = visible.reduce((sum, chord) => sum + chord.end_seconds - chord.start_seconds, 0);
  const pixelsPerSecond = widthPx / spanOf(view);
  if (totalSeconds * pixelsPerSecond < CHORD_PX_MIN * visible.length) {
    pen.font = FONT;
    pen.fillStyle = colours.soft;
    pen.textBaseline = 'middle';
    pen.fillText('Zoom in for the chords', 4, topPx + heightPx / 2 + 0.5);
    return;
  }
  for (const chord of visible) {
    const label = showChord(chord.label, chordFifths);
    drawBlock(context, chord, { fill: colours.raised, label, bold: true, whole: true });
  }
};

const keys: Lane = (context, { result }) => {
  const changes = result.tonal?.key_changes ?? [];
  for (const change of inView(changes, context.view)) {
    const notation = change.scale === 'minor' ? `${change.key}m` : change.key;
    const camelot = camelotOf(notation)!;
    drawBlock(context, change, {
      fill: camelotColour(camelot),
      label: `${spellKey(notation)} · ${camelot}`,
      ink: context.colours['key-ink'],
    });
  }
};

/** Less confident voice spans are fainter and have a question mark. Chosen by eye. */
const VOICE_CONFIDENCE_SURE = 0.7;

const voice: Lane = (context, { result }) => {
  for (const span of inView(voiceSpansOf(result), context.view)) {
    const sure = span.confidence >= VOICE_CONFIDENCE_SURE;
    drawBlock(context, span, {
      fill: `color-mix(in srgb, ${context.colours.accent} ${sure ? 35 : 16}%, ${context.colours.paper})`,
      label: sure ? span.kind : `${span.kind}?`,
      whole: true,
    });
  }
};

function voiceSpansOf(result: Result) {
  return result.content?.voice_spans ?? [];
}

const tempo: Lane = (context, { result }) => {
  const points = (result.rhythm?.tempo_curve ?? []).map((point) => [point.time_seconds, point.bpm] as const);
  drawCurve(context, points, { spanMin: 8, unit: 'BPM', decimals: 1 });
};

/** The absolute gate of ITU-R BS.1770: values below it are silence, and would compress the rest of the curve. */
const GATE_LUFS = -70;

const loudness: Lane = (context, { result }) => {
  const curve = result.loudness?.short_term;
  if (!curve) return;
  const points = curve.values.flatMap((value, index) =>
    value === null || value < GATE_LUFS
      ? []
      : [[curve.start_seconds + index * curve.hop_seconds, value] as const],
  );
  drawCurve(context, points, { spanMin: 12, unit: 'LUFS, short-term', decimals: 1 });
};

const picture =
  (name: PictureName): Lane =>
  (context, { result, pictures }) => {
    const image = pictures[name];
    if (image) drawPicture(context, { name, image, durationSeconds: result.duration_seconds });
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

/** The wanted lanes that have something to show for this song. */
export function lanesOf(result: Result, wanted: ReadonlySet<LaneName>): LaneName[] {
  const { structure, tonal, rhythm, loudness } = result;
  const isEmpty: Partial<Record<LaneName, boolean>> = {
    sections: !structure?.sections.length,
    chords: !tonal?.chords.length,
    // A single key is among the facts already.
    keys: (tonal?.key_changes.length ?? 0) < 2,
    voice: voiceSpansOf(result).length === 0,
    // One point is no curve.
    tempo: (rhythm?.tempo_curve.length ?? 0) < 2,
    loudness: !loudness,
  };
  return (Object.keys(LANE_HEIGHTS_PX) as LaneName[]).filter((name) => !isEmpty[name] && wanted.has(name));
}
