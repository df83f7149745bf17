/** The plots of the report. A plot is left out if its group is missing. */

import { pitchNameOf, type Visuals } from '@earshot/engine';
import { chartName, parseChord } from '../chord-label.ts';
import { sectionName } from '../export-source.ts';
import type { ResultDocument, Section, WaveformLevel } from '../result-document.ts';
import { curvePlot } from './curve-plot.ts';
import { axisLabel, type Plot, plotOverTime, type Shape, timeScale } from './drawing.ts';
import { formatFigure } from './figure.ts';
import { heatmapToPng } from './heatmap-png.ts';
import { ACCENT, groupColour, INK, WARNING } from './palette.ts';

export function drawPlots(document: ResultDocument, visuals: Visuals | null): Plot[] {
  return [
    waveformPlot(document),
    visuals ? spectrogramPlot(document, visuals) : null,
    visuals ? chromagramPlot(document, visuals) : null,
    tempoPlot(document),
    loudnessPlot(document),
    qualityPlot(document),
  ].filter((plot) => plot !== null);
}

/** The average width of a letter at size 8, with a margin, in the units of drawing.ts. */
const LABEL_LETTER_WIDTH = 5;

function waveformPlot(document: ResultDocument): Plot | null {
  // The coarsest, which has pixels enough for a page.
  const level = document.waveform?.levels.at(-1);
  if (!level || level.length === 0) return null;
  const { duration_seconds: durationSeconds } = document;
  const x = timeScale(durationSeconds);
  const sections = document.structure?.sections ?? [];
  const description =
    sections.length > 1
      ? `${sections.length} sections; the same colour means the same music`
      : sections.length === 1
        ? 'one section'
        : 'no sections';
  return plotOverTime({ title: 'Waveform and form', description }, durationSeconds, 96, [
    ...sections.map((section) => sectionBackground(section, x)),
    ...waveformBars(level, sections, durationSeconds),
    ...sections.flatMap((section) => sectionLabel(section, x)),
  ]);
}

function sectionBackground(section: Section, x: (seconds: number) => number): Shape {
  return {
    kind: 'rect',
    x: x(section.start_seconds),
    y: 14,
    width: x(section.end_seconds) - x(section.start_seconds),
    height: 80,
    fill: groupColour(section.group),
    opacity: 0.16,
    title: sectionName(section),
  };
}

function waveformBars(level: WaveformLevel, sections: readonly Section[], durationSeconds: number): Shape[] {
  const [middle, half] = [54, 40];
  const x = timeScale(durationSeconds);
  const secondsPerPixel = level.samples_per_pixel / level.sample_rate;
  return Array.from({ length: level.length }, (_, pixel) => {
    const [low, high] = channelRange(level.data, pixel, level.channels);
    const seconds = pixel * secondsPerPixel;
    const section = sections.find(
      (candidate) => seconds >= candidate.start_seconds && seconds < candidate.end_seconds,
    );
    return {
      kind: 'rect',
      x: x(seconds),
      y: middle - (high / 128) * half,
      // The last pixel may cover more time than the song has left.
      width: Math.max(0.4, x(Math.min(seconds + secondsPerPixel, durationSeconds)) - x(seconds)),
      height: Math.max(0.5, ((high - low) / 128) * half),
      fill: section ? groupColour(section.group) : ACCENT,
    };
  });
}

/** The group and the label, only the group, or nothing, depending on the width of the section. */
function sectionLabel(section: Section, x: (seconds: number) => number): Shape[] {
  const width = x(section.end_seconds) - x(section.start_seconds);
  const text = [`${section.group} ${section.label}`, section.group].find(
    (candidate) => candidate.length * LABEL_LETTER_WIDTH <= width,
  );
  if (text === undefined) return [];
  const fill = groupColour(section.group);
  return [{ kind: 'text', x: x(section.start_seconds) + 3, y: 10, text, size: 8, fill }];
}

function channelRange(data: readonly number[], pixel: number, channels: number): [number, number] {
  let [low, high] = [0, 0];
  for (let channel = 0; channel < channels; channel++) {
    low = Math.min(low, data[2 * (pixel * channels + channel)]!);
    high = Math.max(high, data[2 * (pixel * channels + channel) + 1]!);
  }
  return [low, high];
}

function spectrogramPlot(document: ResultDocument, visuals: Visuals): Plot | null {
  const { spectrogram } = visuals;
  if (spectrogram.columnCount === 0) return null;
  const height = 120;
  const words = {
    title: 'Spectrogram',
    description: 'Mel scale from 30 Hz to 10 kHz; brightness over 72 dB below the peak',
  };
  return plotOverTime(words, document.duration_seconds, height, [
    heatmapImage(spectrogram, height, 'Spectrogram'),
    axisLabel('10 kHz', 8),
    axisLabel('30 Hz', height),
  ]);
}

function chromagramPlot(document: ResultDocument, visuals: Visuals): Plot | null {
  const { chromagram } = visuals;
  if (chromagram.columnCount === 0) return null;
  const [height, chordHeight] = [108, 16];
  const x = timeScale(document.duration_seconds);
  const chords: Shape[] = [];
  let freeFrom = 0;
  for (const chord of document.tonal?.chords ?? []) {
    const left = x(chord.start_seconds);
    // A label is left out if it would overlap the previous one.
    if (parseChord(chord.label) === null || left < freeFrom) continue;
    const text = chartName(chord.label);
    chords.push({ kind: 'text', x: left, y: height + 11, text, size: 7, fill: INK });
    freeFrom = left + text.length * LABEL_LETTER_WIDTH + 3;
  }
  const words = {
    title: 'Chromagram and chords',
    description: 'Strength of the twelve pitch classes; the chords below',
  };
  return plotOverTime(words, document.duration_seconds, height + chordHeight, [
    heatmapImage(chromagram, height, 'Chromagram'),
    ...Array.from({ length: 12 }, (_, pitchClass) =>
      axisLabel(pitchNameOf(pitchClass), height - pitchClass * (height / 12) - 2, 7),
    ),
    ...chords,
  ]);
}

function heatmapImage(heatmap: Visuals['spectrogram'], height: number, alt: string): Shape {
  const x = timeScale(1);
  return { kind: 'image', x: x(0), y: 0, width: x(1) - x(0), height, png: heatmapToPng(heatmap), alt };
}

function tempoPlot(document: ResultDocument): Plot | null {
  const points = document.rhythm?.tempo_curve ?? [];
  if (points.length < 2) return null;
  return curvePlot({
    title: 'Tempo',
    description: 'Beats per minute over time',
    durationSeconds: document.duration_seconds,
    points: points.map((point) => [point.time_seconds, point.bpm]),
    unit: 'BPM',
    spanMin: 8,
    references: [],
  });
}

/** The absolute gate of ITU-R BS.1770, below which loudness is not measured. */
const GATE_LUFS = -70;

function loudnessPlot(document: ResultDocument): Plot | null {
  const curve = document.loudness?.short_term;
  if (!curve) return null;
  const points = curve.values.flatMap((value, index) =>
    value === null || value < GATE_LUFS
      ? []
      : [[curve.start_seconds + index * curve.hop_seconds, value] as const],
  );
  if (points.length < 2) return null;
  const integrated = document.loudness?.integrated_lufs ?? null;
  return curvePlot({
    title: 'Loudness',
    description: 'Short-term loudness (3 s) with the targets of streaming platforms',
    durationSeconds: document.duration_seconds,
    points,
    unit: 'LUFS',
    spanMin: 20,
    references: [
      { value: -14, label: '−14 Spotify, YouTube, Tidal, Amazon' },
      { value: -16, label: '−16 Apple Music, podcasts' },
      ...(integrated === null
        ? []
        : [{ value: integrated, label: `${formatFigure(integrated, 1)} this song`, isStrong: true }]),
    ],
  });
}

function qualityPlot(document: ResultDocument): Plot | null {
  const events = document.quality?.events ?? [];
  if (events.length === 0) return null;
  const kinds = [...new Set(events.map((event) => event.kind))];
  const x = timeScale(document.duration_seconds);
  const rowHeight = 16;
  const shapes: Shape[] = kinds.flatMap((kind, row): Shape[] => [
    axisLabel(kind, row * rowHeight + 12),
    ...events
      .filter((event) => event.kind === kind)
      .map(
        (event): Shape => ({
          kind: 'rect',
          x: x(event.start_seconds),
          y: row * rowHeight + 3,
          width: Math.max(1.5, x(event.end_seconds) - x(event.start_seconds)),
          height: rowHeight - 5,
          fill: WARNING,
          title: `${kind} at ${event.start_seconds.toFixed(2)} s`,
        }),
      ),
  ]);
  const words = { title: 'Quality events', description: 'Where the recording itself has a problem' };
  return plotOverTime(words, document.duration_seconds, kinds.length * rowHeight + 4, shapes);
}
