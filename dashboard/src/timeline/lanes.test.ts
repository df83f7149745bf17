import { describe, expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { LANE_HEIGHTS_PX, LANES, type LaneName, lanesOf } from './lanes.ts';
import { recordDrawing } from './test-pen.ts';
import type { Viewport } from './viewport.ts';

/** What a lane draws on a canvas of 1000 px, where a letter is 6 px wide. */
function draw(name: LaneName, result: object, view: Viewport, chordFifths = 0) {
  const { context, drawn } = recordDrawing({ view, widthPx: 1_000, heightPx: LANE_HEIGHTS_PX[name] });
  LANES[name](context, { result: result as Result, chordFifths, pictures: {} });
  return drawn;
}

const textsOf = (...drawing: Parameters<typeof draw>) => draw(...drawing).texts.map(({ text }) => text);

const sections = [
  { start_seconds: 0, end_seconds: 40, label: 'verse', group: 'A' },
  { start_seconds: 40, end_seconds: 100, label: 'chorus', group: 'B' },
];
const structure = { structure: { sections } };

describe('the sections', () => {
  it.each([
    [{ startSeconds: 0, endSeconds: 100 }, 404],
    // Zoomed in twice around the boundary, and scrolled past it.
    [{ startSeconds: 20, endSeconds: 70 }, 404],
    [{ startSeconds: 30, endSeconds: 50 }, 504],
    // The label of a section that began before the view is at its edge.
    [{ startSeconds: 60, endSeconds: 80 }, 4],
  ])('are labelled where they begin: in the view %j at %i px', (view, leftPx) => {
    expect(draw('sections', structure, view).texts.find(({ text }) => text === 'chorus')?.leftPx).toBe(
      leftPx,
    );
  });

  it('outside the view are not drawn', () => {
    expect(textsOf('sections', structure, { startSeconds: 60, endSeconds: 80 })).toEqual(['chorus']);
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

  it('have their whole name or none: part of a name is another chord', () => {
    const chords = [chord(0, 60, 'C:maj'), chord(60, 61.5, 'F#:min7')];
    expect(textsOf('chords', song(chords), view)).toEqual(['C']);
  });

  it('that are too narrow for names are replaced by a hint to zoom in', () => {
    const many = Array.from({ length: 100 }, (_, index) => chord(index, index + 1, 'C:maj'));
    // A chord is 12.5 px wide, and then 13.3 px.
    expect(textsOf('chords', song(many), { startSeconds: 0, endSeconds: 80 })).toEqual([
      'Zoom in for the chords',
    ]);
    // The one that begins at the end of the view has no width.
    expect(textsOf('chords', song(many), { startSeconds: 0, endSeconds: 75 })).toEqual(Array(75).fill('C'));
  });

  it('are transposed, and no chord is left blank', () => {
    // Two steps up the line of fifths are a whole tone.
    const chords = [chord(0, 50, 'A:min'), chord(50, 100, 'N')];
    const { texts, rects } = draw('chords', song(chords), view, 2);
    expect(texts.map(({ text }) => text)).toEqual(['Bm']);
    expect(rects).toHaveLength(1);
  });

  it('that were corrected keep their sevenths', () => {
    const corrected = (label: string) => ({ ...chord(0, 60, label), confidence: 1 });
    expect(textsOf('chords', song([corrected('A:min')], [corrected('A:min7')]), view)).toEqual(['Am7']);
  });
});

describe('the voice', () => {
  it('has a question mark where its confidence is low', () => {
    const span = (start_seconds: number, confidence: number) => ({
      start_seconds,
      end_seconds: start_seconds + 20,
      kind: 'sung',
      confidence,
    });
    const song = { content: { voice_spans: [span(0, 0.69), span(50, 0.7)] } };
    expect(textsOf('voice', song, { startSeconds: 0, endSeconds: 100 })).toEqual(['sung?', 'sung']);
  });
});

describe('the ruler', () => {
  it('omits a time that the edge would cut off', () => {
    expect(textsOf('ruler', {}, { startSeconds: 0, endSeconds: 100.5 }).at(-1)).toBe('1:30');
  });

  it('has hours in a long recording', () => {
    const times = textsOf('ruler', {}, { startSeconds: 3500, endSeconds: 7500 });
    expect(times).toEqual(expect.arrayContaining(['1:10:00', '2:00:00']));
  });

  it('has tenths in a close view', () => {
    const times = textsOf('ruler', {}, { startSeconds: 3659, endSeconds: 3660.5 });
    expect(times).toEqual(expect.arrayContaining(['1:01:00', '1:00:59.8']));
  });

  /** Bars of two seconds, 40 of them. */
  const beats = Array.from({ length: 160 }, (_, index) => ({
    time_seconds: index / 2,
    beat_in_bar: (index % 4) + 1,
    bar: Math.floor(index / 4),
  }));

  it.each([
    // 30 px is the least distance of two numbers; a bar is 2000 px divided by the seconds in view.
    [8, 250, ['1', '2', '3', '4', '5']],
    [66, 30.3, ['1', '2', '3', '4']],
    [67, 29.9, ['1', '3', '5', '7']],
    [134, 14.9, ['1', '5', '9', '13']],
  ])('in a view of %d s, where a bar is %d px, numbers the bars %j', (endSeconds, _barPx, numbers) => {
    const texts = textsOf('ruler', { rhythm: { beats } }, { startSeconds: 0, endSeconds });
    const bars = texts.filter((text) => !text.includes(':'));
    expect(bars.slice(0, numbers.length)).toEqual(numbers);
  });
});

it('a key has its name and Camelot code', () => {
  const key_changes = [{ start_seconds: 0, end_seconds: 100, key: 'Ab', scale: 'minor' }];
  expect(textsOf('keys', { tonal: { key_changes } }, { startSeconds: 0, endSeconds: 100 })).toEqual([
    'G#m · 1A',
  ]);
});

it('the tempo curve has its BPM at its times', () => {
  const tempo_curve = [
    { time_seconds: 10, bpm: 119 },
    { time_seconds: 70, bpm: 121 },
  ];
  const drawn = draw('tempo', { rhythm: { tempo_curve } }, { startSeconds: 0, endSeconds: 100 });
  // 44 px are an axis of 8 BPM: 2 BPM are 11 px around the middle of the lane.
  expect(drawn.points).toEqual([
    { xPx: 100, yPx: 28 + 5.5 },
    { xPx: 700, yPx: 28 - 5.5 },
  ]);
  expect(drawn.texts.map(({ text }) => text)).toEqual(['121.0 BPM', '119.0']);
});

it('the loudness curve leaves out silence and gaps, and keeps the times of the rest', () => {
  // -70 LUFS is the absolute gate of ITU-R BS.1770.
  const short_term = { start_seconds: 10, hop_seconds: 20, values: [-20, -70.1, null, -10, -70] };
  const view = { startSeconds: 0, endSeconds: 100 };
  const { points, texts } = draw('loudness', { loudness: { short_term } }, view);
  expect(points.map(({ xPx }) => xPx)).toEqual([100, 700, 900]);
  expect(texts.map(({ text }) => text)).toEqual(['−10.0 LUFS, short-term', '−70.0']);
});

it('lanes with nothing to show are left out, and the others keep their order', () => {
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
  const modulating = { ...song, tonal: { ...song.tonal, key_changes: [{}, {}] } } as unknown as Result;
  expect(lanesOf(modulating, new Set(['keys'] as const))).toEqual(['keys']);
});
