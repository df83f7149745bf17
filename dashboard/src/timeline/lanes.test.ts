import { describe, expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { COLOUR_NAMES, type Colours } from './drawing.ts';
import { LANE_HEIGHTS_PX, LANES, type LaneName, lanesOf } from './lanes.ts';

type Drawn = { words: { text: string; leftPx: number }[] };

const COLOURS = Object.fromEntries(COLOUR_NAMES.map((name) => [name, '#888888'])) as Colours;

/** What a lane puts on a canvas of 1000 pixels; a letter is six of them. */
function draw(name: LaneName, result: object, view: { startSeconds: number; endSeconds: number }): Drawn {
  const drawn: Drawn = { words: [] };
  const pen = {
    measureText: (text: string) => ({ width: 6 * text.length }),
    fillRect: () => {},
    fillText: (text: string, leftPx: number) => drawn.words.push({ text, leftPx }),
  } as unknown as CanvasRenderingContext2D;
  const context = { pen, view, widthPx: 1_000, topPx: 0, heightPx: LANE_HEIGHTS_PX[name], colours: COLOURS };
  LANES[name](context, {
    result: result as Result,
    chordFifths: 0,
    pictures: {},
  });
  return drawn;
}

const sections = [
  { start_seconds: 0, end_seconds: 40, label: 'verse', group: 'A' },
  { start_seconds: 40, end_seconds: 100, label: 'chorus', group: 'B' },
];
const structure = { structure: { sections } };

describe('the sections', () => {
  it('stand where they sound, whatever is in sight', () => {
    const chorusAt = (drawn: Drawn) => drawn.words.find(({ text }) => text === 'chorus')?.leftPx;
    expect(chorusAt(draw('sections', structure, { startSeconds: 0, endSeconds: 100 }))).toBe(404);
    // Zoomed in twice around the boundary, and scrolled past it.
    expect(chorusAt(draw('sections', structure, { startSeconds: 20, endSeconds: 70 }))).toBe(404);
    expect(chorusAt(draw('sections', structure, { startSeconds: 30, endSeconds: 50 }))).toBe(504);
    // A section that began before what is in sight keeps its name in sight.
    expect(chorusAt(draw('sections', structure, { startSeconds: 60, endSeconds: 80 }))).toBe(4);
  });

  it('that are out of sight are not drawn', () => {
    const { words } = draw('sections', structure, { startSeconds: 60, endSeconds: 80 });
    expect(words.map(({ text }) => text)).toEqual(['chorus']);
  });
});

describe('the chords', () => {
  const chord = (start_seconds: number, end_seconds: number, label: string) => ({
    start_seconds,
    end_seconds,
    label,
  });
  const song = (chords: object[], chords_sevenths: object[] = []) => ({ tonal: { chords, chords_sevenths } });
  const view = { startSeconds: 0, endSeconds: 100 };

  it('are named whole or not at all: a part of a name is another chord', () => {
    const { words } = draw('chords', song([chord(0, 60, 'C:maj'), chord(60, 61.5, 'F#:min7')]), view);
    expect(words.map(({ text }) => text)).toEqual(['C']);
  });

  it('that are too many for the room say how they can be read', () => {
    const many = Array.from({ length: 100 }, (_, index) => chord(index, index + 1, 'C:maj'));
    expect(draw('chords', song(many), view).words.map(({ text }) => text)).toEqual([
      'Zoom in for the chords',
    ]);
    const near = draw('chords', song(many), { startSeconds: 0, endSeconds: 10 });
    expect(near.words.length).toBeGreaterThan(9);
  });

  it('that were corrected are named as they were said', () => {
    const said = (label: string) => ({ ...chord(0, 60, label), confidence: 1 });
    const { words } = draw('chords', song([said('A:min')], [said('A:min7')]), view);
    expect(words.map(({ text }) => text)).toEqual(['Am7']);
  });
});

describe('the voice', () => {
  it('is marked as a guess where it is one', () => {
    const span = (start_seconds: number, confidence: number) => ({
      start_seconds,
      end_seconds: start_seconds + 20,
      kind: 'sung',
      confidence,
    });
    const song = { content: { voice_spans: [span(0, 0.55), span(50, 0.9)] } };
    const { words } = draw('voice', song, { startSeconds: 0, endSeconds: 100 });
    expect(words.map(({ text }) => text)).toEqual(['sung?', 'sung']);
  });
});

it('the ruler writes no time that the edge would cut', () => {
  const { words } = draw('ruler', {}, { startSeconds: 0, endSeconds: 100.5 });
  expect(words.at(-1)?.text).toBe('1:30');
});

it('the ruler of a long recording has hours', () => {
  const words = draw('ruler', {}, { startSeconds: 3500, endSeconds: 7500 }).words.map(({ text }) => text);
  expect(words).toContain('1:10:00');
  expect(words).toContain('2:00:00');
});

it('the ruler has tenths from close by', () => {
  const words = draw('ruler', {}, { startSeconds: 3659, endSeconds: 3660.5 }).words.map(({ text }) => text);
  expect(words).toContain('1:01:00');
  expect(words).toContain('1:00:59.8');
});

it('lanes without anything to show are left out, and the others keep their order', () => {
  const song = {
    ...structure,
    tonal: { chords: [], chords_sevenths: [], key_changes: [{}] },
    rhythm: { tempo_curve: [{}, {}] },
    loudness: null,
    content: { voice_spans: [] },
  } as unknown as Result;
  const all = new Set(Object.keys(LANES) as LaneName[]);
  expect(lanesOf(song, all)).toEqual(['ruler', 'sections', 'waveform', 'tempo', 'spectrogram', 'chromagram']);
  expect(lanesOf(song, new Set(['tempo', 'sections', 'chords'] as const))).toEqual(['sections', 'tempo']);
});
