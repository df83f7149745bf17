import { describe, expect, it } from 'vitest';
import { SONG } from '../test-song.ts';
import type { Shape } from './drawing.ts';
import { ACCENT, groupColour, WARNING } from './palette.ts';
import { drawPlots } from './plots.ts';

type Document = typeof SONG.document;

/** As many seconds as a plot has units between the start of the song, at an x of 44, and its end: a second is a unit wide. */
const DURATION_SECONDS = 702;
const EMPTY = { ...SONG.document, rhythm: null, tonal: null, structure: null, waveform: null };
const NO_PICTURE = { rowCount: 0, columnCount: 0, secondsPerColumn: 0, values: new Uint8Array(0) };
const PICTURE = { rowCount: 1, columnCount: 1, secondsPerColumn: 1, values: Uint8Array.of(255) };

function plotsOf(fields: object, chromagram = NO_PICTURE) {
  const document = { ...EMPTY, duration_seconds: DURATION_SECONDS, ...fields } as Document;
  return drawPlots(document, { spectrogram: NO_PICTURE, chromagram });
}
/** The shapes of a plot without its time axis, which has 12 labels, a tick for each, and a line. */
const shapesOf = (fields: object): Shape[] => plotsOf(fields)[0]!.shapes.slice(0, -25);
const sectionsAt = (...spans: [startSeconds: number, endSeconds: number][]) => {
  const [section] = SONG.document.structure!.sections;
  return spans.map(([start_seconds, end_seconds]) => ({ ...section!, start_seconds, end_seconds }));
};

it('has no plot without its group', () => {
  expect(plotsOf({})).toEqual([]);
  expect(drawPlots(EMPTY, null)).toEqual([]);
});

describe('the waveform', () => {
  const levelOf = (samples_per_pixel: number, data: number[]) => ({
    ...{ version: 2, channels: 1, sample_rate: 1, bits: 8, length: data.length / 2 },
    samples_per_pixel,
    data,
  });

  it('has a bar for each pixel of the coarsest level, in the colour of its section, and no wider than the song', () => {
    const levels = [levelOf(100, new Array(16).fill(0)), levelOf(400, [-64, 64, -128, 127])];
    const structure = { sections: sectionsAt([0, 400]) };
    const bars = shapesOf({ waveform: { levels }, structure }).filter((shape) => shape.kind === 'rect');
    const colour = groupColour('A');
    // The middle is at 54, and full scale is 40 units from it.
    expect(bars).toEqual([
      { kind: 'rect', x: 44, y: 14, width: 400, height: 80, fill: colour, opacity: 0.16, title: 'verse (A)' },
      { kind: 'rect', x: 44, y: 34, width: 400, height: 40, fill: colour },
      { kind: 'rect', x: 444, y: 54 - (127 / 128) * 40, width: 302, height: (255 / 128) * 40, fill: ACCENT },
    ]);
  });

  it('names sections as far as they have room: five units for each letter', () => {
    const structure = { sections: sectionsAt([0, 35], [35, 69], [69, 73]) };
    const labels = shapesOf({ waveform: { levels: [levelOf(1, [0, 0])] }, structure }).flatMap((shape) =>
      shape.kind === 'text' ? [[shape.text, shape.x]] : [],
    );
    expect(labels).toEqual([
      ['A verse', 47],
      ['A', 82],
    ]);
  });
});

it('the chromagram has C at the bottom, and below it the known chords that do not overlap', () => {
  const [chord] = SONG.document.tonal!.chords;
  // The first label needs two letters of five units, and three more.
  const starts = { 0: 'A:min', 12: 'C:maj', 13: 'D:maj', 100: 'N', 200: 'X', 300: 'E:maj' };
  const chords = Object.entries(starts).map(([seconds, label]) => ({
    ...chord!,
    label,
    start_seconds: Number(seconds),
  }));
  const [plot] = plotsOf({ tonal: { ...SONG.document.tonal!, chords } }, PICTURE);
  const pitches = plot!.shapes.flatMap((shape) =>
    shape.kind === 'text' && shape.anchor === 'end' ? [shape] : [],
  );
  expect([pitches[0], pitches[11]]).toMatchObject([
    { text: 'C', y: 106 },
    { text: 'B', y: 7 },
  ]);
  const named = plot!.shapes.flatMap((shape) =>
    shape.kind === 'text' && shape.size === 7 && shape.anchor === undefined ? [[shape.text, shape.x]] : [],
  );
  expect(named).toEqual([
    ['Am', 44],
    ['D', 57],
    ['E', 344],
  ]);
});

it('the tempo is a curve of two points or more', () => {
  const [first] = SONG.document.rhythm!.tempo_curve;
  const plotWith = (count: number) =>
    plotsOf({ rhythm: { ...SONG.document.rhythm!, tempo_curve: new Array(count).fill(first) } });
  expect(plotWith(1)).toEqual([]);
  expect(plotWith(2)).toMatchObject([{ title: 'Tempo (BPM)' }]);
});

describe('the loudness', () => {
  const loudnessOf = (values: (number | null)[], integrated_lufs: number | null) => ({
    loudness: { short_term: { hop_seconds: 1, start_seconds: 1.5, values }, integrated_lufs },
  });

  it('leaves out what is below the gate of −70 LUFS', () => {
    const curve = shapesOf(loudnessOf([-70.1, -70, null, -20], null)).find(({ kind }) => kind === 'polyline');
    expect(curve).toMatchObject({
      points: [
        [46.5, expect.any(Number)],
        [48.5, expect.any(Number)],
      ],
    });
    expect(plotsOf(loudnessOf([-70.1, -20], null))).toEqual([]);
  });

  it('has a line for the song, next to those of the platforms', () => {
    const labelsOf = (integrated_lufs: number | null) =>
      shapesOf(loudnessOf([-20, -20], integrated_lufs)).flatMap((shape) =>
        shape.kind === 'text' && shape.size === 7 ? [shape.text] : [],
      );
    const platforms = ['−14 Spotify, YouTube, Tidal, Amazon', '−16 Apple Music, podcasts'];
    expect(labelsOf(-9)).toEqual([...platforms, '−9.0 this song']);
    expect(labelsOf(null)).toEqual(platforms);
  });
});

it('the quality events have a row for each kind, and a width that can be seen', () => {
  const events = [
    { kind: 'click', start_seconds: 1, end_seconds: 1 },
    { kind: 'dropout', start_seconds: 3, end_seconds: 13 },
    { kind: 'click', start_seconds: 20, end_seconds: 20 },
  ];
  const shapes = shapesOf({ quality: { events } });
  const mark = { kind: 'rect', height: 11, fill: WARNING };
  expect(shapes.filter(({ kind }) => kind === 'rect')).toEqual([
    { ...mark, x: 45, y: 3, width: 1.5, title: 'click at 1.00 s' },
    { ...mark, x: 64, y: 3, width: 1.5, title: 'click at 20.00 s' },
    { ...mark, x: 47, y: 19, width: 10, title: 'dropout at 3.00 s' },
  ]);
  expect(shapes.flatMap((shape) => (shape.kind === 'text' ? [[shape.text, shape.y]] : []))).toEqual([
    ['click', 12],
    ['dropout', 28],
  ]);
});
