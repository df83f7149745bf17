import { describe, expect, it } from 'vitest';
import { drawBlock, drawCurve, inView } from './drawing.ts';
import { recordDrawing } from './test-pen.ts';

const span = (start_seconds: number, end_seconds: number) => ({ start_seconds, end_seconds });
/** Ten pixels a second. */
const VIEW = { startSeconds: 100, endSeconds: 200 };
const PLACE = { view: VIEW, widthPx: 1_000, heightPx: 26 };

it('items are in view while any part of them is', () => {
  const items = [span(0, 50), span(50, 99), span(99, 101), span(150, 160), span(200, 210), span(201, 300)];
  expect(inView(items, VIEW)).toEqual([span(99, 101), span(150, 160), span(200, 210)]);
  expect(inView([span(0, 300)], VIEW)).toEqual([span(0, 300)]);
});

describe('a block', () => {
  function block(seconds: number, style: { label: string; whole?: boolean }) {
    const { context, drawn } = recordDrawing(PLACE);
    drawBlock(context, span(110, 110 + seconds), { fill: 'accent', ...style });
    return drawn;
  }

  it('covers its span but for a gap of one pixel', () => {
    const { rects } = block(5, { label: 'verse' });
    expect(rects).toEqual([{ leftPx: 100, topPx: 1, widthPx: 49, heightPx: 24, fill: 'accent', alpha: 1 }]);
  });

  it.each([
    // Six pixels of each block are margin. "chorus" is 36 px wide, 30 px in the small font; "cho…" is 20 px there, "ch…" 15 px.
    [4.3, [['chorus', '11px']]],
    [4.1, [['chorus', '9.5px']]],
    [2.7, [['cho…', '9.5px']]],
    [2.2, [['ch…', '9.5px']]],
    [2, []],
  ])('of %d s has its label as far as it fits: %j', (seconds, labels) => {
    const { texts } = block(seconds, { label: 'chorus' });
    expect(texts.map(({ text, font }) => [text, font.split(' ')[0]])).toEqual(labels);
  });

  it('has a bold label where that is wanted, in the middle of its height', () => {
    const { context, drawn } = recordDrawing(PLACE);
    drawBlock(context, span(110, 120), { fill: 'accent', label: 'verse', bold: true, ink: 'key-ink' });
    expect(drawn.texts).toEqual([
      { text: 'verse', leftPx: 104, topPx: 13.5, font: '600 11px system-ui, sans-serif' },
    ]);
  });

  it('never shortens a label that must be whole', () => {
    expect(block(3.5, { label: 'chorus', whole: true }).texts).toEqual([]);
    expect(block(3.7, { label: 'chorus', whole: true }).texts).toHaveLength(1);
  });

  it('is cut at the edges of the view, and its label starts there', () => {
    const { context, drawn } = recordDrawing(PLACE);
    drawBlock(context, span(0, 500), { fill: 'accent', label: 'drone' });
    expect(drawn.rects[0]).toMatchObject({ leftPx: 0, widthPx: 999 });
    expect(drawn.texts[0]).toMatchObject({ text: 'drone', leftPx: 4 });
  });

  it('under half a pixel is not drawn', () => {
    expect(block(0.04, { label: '' }).rects).toEqual([]);
    expect(block(0.06, { label: '' }).rects).toMatchObject([{ widthPx: 1 }]);
  });
});

describe('a curve', () => {
  function curve(values: readonly number[], spanMin: number) {
    const { context, drawn } = recordDrawing({ ...PLACE, heightPx: 112 });
    const points = values.map((value, index) => [100 + 10 * index, value] as const);
    drawCurve(context, points, { spanMin, unit: 'BPM', decimals: 1 });
    return drawn;
  }

  it('is drawn over 1.2 times its range, inside margins of 6 px', () => {
    // From 100 to 150 the axis is 60 long, from 95 to 155, on 100 px: 5 are 100 / 12 px.
    const { points } = curve([100, 150], 8);
    expect(points.map(({ xPx }) => xPx)).toEqual([0, 100]);
    expect(points[0]?.yPx).toBeCloseTo(106 - 100 / 12, 9);
    expect(points[1]?.yPx).toBeCloseTo(6 + 100 / 12, 9);
  });

  it('that hardly changes is drawn over the smallest range', () => {
    // From 119 to 121 on an axis of 8: the ends are an eighth of 100 px from the middle.
    const { points } = curve([119, 121], 8);
    expect(points.map(({ yPx }) => yPx)).toEqual([56 + 12.5, 56 - 12.5]);
  });

  it('is labelled with its highest value and unit at the top, and its lowest at the bottom', () => {
    const { texts, rects } = curve([119, 121, 120], 8);
    expect(texts.map(({ text, topPx }) => [text, topPx])).toEqual([
      ['121.0 BPM', 2],
      // The bottom of the text.
      ['119.0', 110],
    ]);
    // Their grounds, 12 px high: nine and five letters wide, and half-transparent.
    const ground = { leftPx: 2, heightPx: 12, fill: 'paper', alpha: 0.75 };
    expect(rects).toEqual([
      { ...ground, topPx: 2, widthPx: 58 },
      { ...ground, topPx: 98, widthPx: 34 },
    ]);
  });

  it('of one point is not drawn', () => {
    expect(curve([119], 8)).toMatchObject({ points: [], texts: [] });
  });
});
