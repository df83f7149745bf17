import { COLOUR_NAMES, type Colours, type LaneContext } from './drawing.ts';

/** Each colour token as its own name, so that tests can tell them apart. */
const COLOURS = Object.fromEntries(COLOUR_NAMES.map((name) => [name, name])) as Colours;

type Rect = { leftPx: number; topPx: number; widthPx: number; heightPx: number; fill: string; alpha: number };
type Drawn = {
  texts: { text: string; leftPx: number; topPx: number; font: string }[];
  rects: Rect[];
  /** The corners of each stroked line. */
  points: { xPx: number; yPx: number }[];
  /** The arguments of `drawImage` after the image. */
  images: number[][];
};

/** A lane context whose pen records what is drawn. A letter is 6 px wide in the 11 px font and 5 px in any other. */
export function recordDrawing(place: Pick<LaneContext, 'view' | 'widthPx' | 'heightPx'>): {
  context: LaneContext;
  drawn: Drawn;
} {
  const drawn: Drawn = { texts: [], rects: [], points: [], images: [] };
  const pen = {
    font: '',
    fillStyle: '',
    globalAlpha: 1,
    textBaseline: 'top',
    measureText: (text: string) => ({ width: text.length * (pen.font.includes('11px') ? 6 : 5) }),
    fillRect: (leftPx: number, topPx: number, widthPx: number, heightPx: number) =>
      void drawn.rects.push({
        leftPx,
        topPx,
        widthPx,
        heightPx,
        fill: pen.fillStyle,
        alpha: pen.globalAlpha,
      }),
    fillText: (text: string, leftPx: number, topPx: number) =>
      void drawn.texts.push({ text, leftPx, topPx, font: pen.font }),
    drawImage: (_: unknown, ...rest: number[]) => void drawn.images.push(rest),
    beginPath: () => {},
    moveTo: (xPx: number, yPx: number) => void drawn.points.push({ xPx, yPx }),
    lineTo: (xPx: number, yPx: number) => void drawn.points.push({ xPx, yPx }),
    stroke: () => {},
  };
  const context = { ...place, pen: pen as unknown as CanvasRenderingContext2D, topPx: 0, colours: COLOURS };
  return { context, drawn };
}
