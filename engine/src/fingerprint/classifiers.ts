/**
 * The sixteen comparisons that turn sixteen columns of the chroma image into 32 bits.
 *
 * Each compares the sums over parts of a rectangle of the image, which begins at its pitch class and the window's first column, by
 * the logarithm of their ratio, and sorts it into four bins of two bits in Gray code: values that fall near a threshold then differ in one
 * bit only. Rectangles and thresholds are those of Chromaprint's algorithm 2, trained by its author; they are the format.
 */

import { PITCH_CLASSES } from './chroma-image.ts';

export const WINDOW_COLUMNS = 16;

/** How the rectangle is cut; the first part named is compared with the second. */
type Cut =
  | 'whole' // everything with nothing
  | 'upper-lower' // higher pitches with lower ones
  | 'later-earlier' // the second half of the time with the first
  | 'diagonals' // one pair of opposite quarters with the other
  | 'pitch-middle' // the middle third of the pitches with the outer ones
  | 'time-middle'; // the middle third of the time with the outer ones

type Classifier = {
  cut: Cut;
  pitchClass: number;
  height: number;
  columns: number;
  thresholds: readonly [number, number, number];
};

const classifier = (
  cut: Cut,
  pitchClass: number,
  height: number,
  columns: number,
  ...thresholds: [number, number, number]
): Classifier => ({ cut, pitchClass, height, columns, thresholds });

const CLASSIFIERS: readonly Classifier[] = [
  classifier('whole', 4, 3, 15, 1.98215, 2.35817, 2.63523),
  classifier('pitch-middle', 4, 6, 15, -1.03809, -0.651211, -0.282167),
  classifier('upper-lower', 0, 4, 16, -0.298702, 0.119262, 0.558497),
  classifier('diagonals', 8, 2, 12, -0.105439, 0.0153946, 0.135898),
  classifier('diagonals', 4, 4, 8, -0.142891, 0.0258736, 0.200632),
  classifier('pitch-middle', 0, 3, 5, -0.826319, -0.590612, -0.368214),
  classifier('upper-lower', 2, 2, 9, -0.557409, -0.233035, 0.0534525),
  classifier('later-earlier', 7, 3, 4, -0.0646826, 0.00620476, 0.0784847),
  classifier('later-earlier', 6, 2, 16, -0.192387, -0.029699, 0.215855),
  classifier('later-earlier', 1, 3, 2, -0.0397818, -0.00568076, 0.0292026),
  classifier('time-middle', 10, 1, 15, -0.53823, -0.369934, -0.190235),
  classifier('diagonals', 6, 2, 10, -0.124877, 0.0296483, 0.139239),
  classifier('later-earlier', 1, 1, 14, -0.101475, 0.0225617, 0.231971),
  classifier('diagonals', 5, 6, 4, -0.0799915, -0.00729616, 0.063262),
  classifier('upper-lower', 9, 2, 12, -0.272556, 0.019424, 0.302559),
  classifier('diagonals', 4, 2, 14, -0.164292, -0.0321188, 0.0846339),
];

const GRAY_CODE = [0, 1, 3, 2];

/** One 32-bit word for every window of 16 columns; none when there are fewer. */
export function classifyImage(columns: readonly Float64Array[]): Uint32Array {
  const sums = sumRectangles(columns);
  return Uint32Array.from({ length: Math.max(0, columns.length - WINDOW_COLUMNS + 1) }, (_, first) =>
    CLASSIFIERS.reduce((word, { cut, pitchClass, height, columns: width, thresholds }) => {
      const area = (x: number, y: number, w: number, h: number): number =>
        sums(first + x, pitchClass + y, w, h);
      const [a, b] = compareParts(cut, width, height, area);
      const value = Math.log((1 + a) / (1 + b));
      const bin = thresholds.filter((threshold) => value >= threshold).length;
      return (word << 2) | GRAY_CODE[bin]!;
    }, 0),
  );
}

type Area = (x: number, y: number, width: number, height: number) => number;

function compareParts(cut: Cut, width: number, height: number, area: Area): [number, number] {
  const halfWidth = Math.floor(width / 2);
  const halfHeight = Math.floor(height / 2);
  const thirdWidth = Math.floor(width / 3);
  const thirdHeight = Math.floor(height / 3);
  const whole = (): number => area(0, 0, width, height);
  switch (cut) {
    case 'whole':
      return [whole(), 0];
    case 'upper-lower':
      return [area(0, halfHeight, width, height - halfHeight), area(0, 0, width, halfHeight)];
    case 'later-earlier':
      return [area(halfWidth, 0, width - halfWidth, height), area(0, 0, halfWidth, height)];
    case 'diagonals': {
      const restWidth = width - halfWidth;
      const restHeight = height - halfHeight;
      return [
        area(0, halfHeight, halfWidth, restHeight) + area(halfWidth, 0, restWidth, halfHeight),
        area(0, 0, halfWidth, halfHeight) + area(halfWidth, halfHeight, restWidth, restHeight),
      ];
    }
    case 'pitch-middle':
      return splitMiddle(
        area(0, thirdHeight, width, thirdHeight),
        area(0, 0, width, thirdHeight) + area(0, 2 * thirdHeight, width, height - 2 * thirdHeight),
      );
    case 'time-middle':
      return splitMiddle(
        area(thirdWidth, 0, thirdWidth, height),
        area(0, 0, thirdWidth, height) + area(2 * thirdWidth, 0, width - 2 * thirdWidth, height),
      );
  }
}

function splitMiddle(middle: number, outer: number): [number, number] {
  return [middle, outer];
}

/** Sums over any rectangle in four look-ups: Crow's summed-area table, SIGGRAPH 1984. */
function sumRectangles(columns: readonly Float64Array[]): Area {
  const stride = PITCH_CLASSES + 1;
  const table = new Float64Array((columns.length + 1) * stride);
  columns.forEach((column, x) => {
    let sum = 0;
    column.forEach((value, y) => {
      sum += value;
      table[(x + 1) * stride + y + 1] = table[x * stride + y + 1]! + sum;
    });
  });
  const at = (x: number, y: number): number => table[x * stride + y]!;
  return (x, y, width, height) => at(x + width, y + height) - at(x, y + height) - at(x + width, y) + at(x, y);
}
