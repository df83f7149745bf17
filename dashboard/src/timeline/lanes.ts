import { formatClock } from '../format.ts';
import { camelotColour, camelotOf } from '../music/camelot.ts';
import { showChord } from '../music/chords.ts';
import { groupColour } from '../music/sections.ts';
import { spellKey } from '../music/spelling.ts';
import { type Result, shownChords } from '../result.ts';
import { drawBlock, drawCurve, FONT, inSight, type LaneContext } from './drawing.ts';
import { drawPicture, type PictureName } from './picture-lanes.ts';
import { rulerTimes, spanOf, toPixels } from './viewport.ts';
import { drawWaveform } from './waveform-lane.ts';

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

export const LANE_HEIGHTS_PX: Record<LaneName, number> = {
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

export type LaneData = {
  result: Result;
  /** How far the names of chords are moved on the line of fifths. */
  chordFifths: number;
  pictures: Partial<Record<PictureName, HTMLImageElement>>;
};

type Lane = (context: LaneContext, data: LaneData) => void;

/** As much room as a label of its kind takes. */
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
    const label = clock(seconds);
    // A time that is cut by the edge reads as another time.
    if (x + 4 + pen.measureText(label).width <= widthPx) pen.fillText(label, x + 4, topPx + 9);
  }
  drawBars(context, result);
};

/** Numbers of bars below the times: each, every second, fourth, … as there is room. */
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

function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const text = formatClock(Math.floor(tenths / 10));
  return tenths % 10 === 0 ? text : `${text}.${tenths % 10}`;
}

const sections: Lane = (context, { result }) => {
  for (const section of inSight(result.structure?.sections ?? [], context.view)) {
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

/** Narrower than this in the mean, hardly a chord has room for its name. */
const CHORD_PX_MIN = 13;

const chords: Lane = (context, { result, chordFifths }) => {
  const { pen, view, widthPx, topPx, heightPx, colours } = context;
  const seen = inSight(shownChords(result), view).filter(({ label }) => label !== 'N');
  const secondsOfAll = seen.reduce((sum, chord) => sum + chord.end_seconds - chord.start_seconds, 0);
  const pixelsPerSecond = widthPx / spanOf(view);
  if (secondsOfAll * pixelsPerSecond < CHORD_PX_MIN * seen.length) {
    pen.font = FONT;
    pen.fillStyle = colours.soft;
    pen.textBaseline = 'middle';
    pen.fillText('Zoom in for the chords', 4, topPx + heightPx / 2 + 0.5);
    return;
  }
  for (const chord of seen) {
    const label = showChord(chord.label, chordFifths);
    drawBlock(context, chord, { fill: colours.raised, label, bold: true, whole: true });
  }
};

const keys: Lane = (context, { result }) => {
  const changes = result.tonal?.key_changes ?? [];
  for (const change of inSight(changes, context.view)) {
    const notation = change.scale === 'minor' ? `${change.key}m` : change.key;
    const camelot = camelotOf(notation)!;
    drawBlock(context, change, {
      fill: camelotColour(camelot),
      label: `${spellKey(notation)} · ${camelot}`,
      ink: context.colours['key-ink'],
    });
  }
};

/** Below this a voice is a guess, and marked as one. Chosen. */
const VOICE_CONFIDENCE_PLAIN = 0.7;

const voice: Lane = (context, { result }) => {
  for (const span of inSight(voiceSpansOf(result), context.view)) {
    const sure = span.confidence >= VOICE_CONFIDENCE_PLAIN;
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

/** The absolute gate of ITU-R BS.1770: quieter than this is silence, and would flatten the rest. */
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
  return (Object.keys(LANE_HEIGHTS_PX) as LaneName[]).filter((name) => there[name] && wanted.has(name));
}
