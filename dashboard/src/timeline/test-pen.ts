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

/** Where the lane's strip begins. The pen records heights from there, so a lane that draws at the top of the canvas is noticed. */
const LANE_TOP_PX = 200;

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
        topPx: topPx - LANE_TOP_PX,
        widthPx,
        heightPx,
        fill: pen.fillStyle,
        alpha: pen.globalAlpha,
      }),
    fillText: (text: string, leftPx: number, topPx: number) =>
      void drawn.texts.push({ text, leftPx, topPx: topPx - LANE_TOP_PX, font: pen.font }),
    // The sixth number is the top of the target.
    drawImage: (_: unknown, ...rest: number[]) =>
      void drawn.images.push(rest.with(5, rest[5]! - LANE_TOP_PX)),
    beginPath: () => {},
    moveTo: (xPx: number, yPx: number) => void drawn.points.push({ xPx, yPx: yPx - LANE_TOP_PX }),
    lineTo: (xPx: number, yPx: number) => void drawn.points.push({ xPx, yPx: yPx - LANE_TOP_PX }),
    stroke: () => {},
  };
  const context = {
    ...place,
    pen: pen as unknown as CanvasRenderingContext2D,
    topPx: LANE_TOP_PX,
    colours: COLOURS,
  };
  return { context, drawn };
}
