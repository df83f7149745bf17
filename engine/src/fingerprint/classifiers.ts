/**
 * What are the bits of a fingerprint? Sixteen classifiers turn sixteen columns of the chroma image into 32 bits.
 *
 * Each classifier sums two parts of a rectangle of the image, which starts at the window's first column, and quantises the logarithm of
 * their ratio into four bins. The bins are numbered in Gray code, so that values on either side of a threshold differ in one bit.
 * Rectangles and thresholds are those of Chromaprint's algorithm 2, trained by its author; they define the format.
 */

import { PITCH_CLASS_COUNT } from '../tonal/key-name.ts';

const WINDOW_COLUMNS = 16;

/** How the rectangle is cut into two parts. */
type Cut =
  | 'whole' // all of it, and nothing
  | 'upper-lower' // the higher pitches, and the lower ones
  | 'later-earlier' // the second half of the time, and the first
  | 'diagonals' // one pair of opposite quarters, and the other
  | 'pitch-middle' // the middle third of the pitches, and the outer ones
  | 'time-middle'; // the middle third of the time, and the outer ones

type Classifier = {
  cut: Cut;
  lowestClass: number;
  classCount: number;
  columnCount: number;
  thresholds: readonly [number, number, number];
};

const classifier = (
  cut: Cut,
  lowestClass: number,
  classCount: number,
  columnCount: number,
  ...thresholds: [number, number, number]
): Classifier => ({ cut, lowestClass, classCount, columnCount, thresholds });

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

/** A rectangle: x and width in columns, y and height in pitch classes. */
type Part = { x: number; y: number; width: number; height: number };

const COMPARISONS = CLASSIFIERS.map(({ cut, lowestClass, classCount, columnCount, thresholds }) => {
  const [first, second] = cutIntoParts(cut, columnCount, classCount).map((parts) =>
    parts.map((part) => ({ ...part, y: lowestClass + part.y })),
  );
  return { first: first!, second: second!, thresholds };
});

/** One 32-bit word for every window of 16 columns; none when there are fewer. */
export function classifyImage(columns: readonly Float64Array[]): Uint32Array {
  const table = sumRectangles(columns);
  const words = new Uint32Array(Math.max(0, columns.length - WINDOW_COLUMNS + 1));
  for (let window = 0; window < words.length; window++) {
    let word = 0;
    for (let i = 0; i < COMPARISONS.length; i++) {
      const { first, second, thresholds } = COMPARISONS[i]!;
      const value = Math.log((1 + sumParts(table, window, first)) / (1 + sumParts(table, window, second)));
      const bin = +(value >= thresholds[0]!) + +(value >= thresholds[1]!) + +(value >= thresholds[2]!);
      word = (word << 2) | GRAY_CODE[bin]!;
    }
    words[window] = word;
  }
  return words;
}

/** The rectangles of the first part and those of the second. */
function cutIntoParts(cut: Cut, width: number, height: number): [Part[], Part[]] {
  const halfWidth = Math.floor(width / 2);
  const halfHeight = Math.floor(height / 2);
  const thirdWidth = Math.floor(width / 3);
  const thirdHeight = Math.floor(height / 3);
  const part = (x: number, y: number, w: number, h: number): Part => ({ x, y, width: w, height: h });
  switch (cut) {
    case 'whole':
      return [[part(0, 0, width, height)], []];
    case 'upper-lower':
      return [[part(0, halfHeight, width, height - halfHeight)], [part(0, 0, width, halfHeight)]];
    case 'later-earlier':
      return [[part(halfWidth, 0, width - halfWidth, height)], [part(0, 0, halfWidth, height)]];
    case 'diagonals': {
      const restWidth = width - halfWidth;
      const restHeight = height - halfHeight;
      return [
        [part(0, halfHeight, halfWidth, restHeight), part(halfWidth, 0, restWidth, halfHeight)],
        [part(0, 0, halfWidth, halfHeight), part(halfWidth, halfHeight, restWidth, restHeight)],
      ];
    }
    case 'pitch-middle':
      return [
        [part(0, thirdHeight, width, thirdHeight)],
        [part(0, 0, width, thirdHeight), part(0, 2 * thirdHeight, width, height - 2 * thirdHeight)],
      ];
    case 'time-middle':
      return [
        [part(thirdWidth, 0, thirdWidth, height)],
        [part(0, 0, thirdWidth, height), part(2 * thirdWidth, 0, width - 2 * thirdWidth, height)],
      ];
  }
}

const STRIDE = PITCH_CLASS_COUNT + 1;

/** Crow's summed-area table, SIGGRAPH 1984: the sum over any rectangle takes four look-ups. */
function sumRectangles(columns: readonly Float64Array[]): Float64Array {
  const table = new Float64Array((columns.length + 1) * STRIDE);
  columns.forEach((column, x) => {
    let sum = 0;
    for (let y = 0; y < column.length; y++) {
      sum += column[y]!;
      table[(x + 1) * STRIDE + y + 1] = table[x * STRIDE + y + 1]! + sum;
    }
  });
  return table;
}

/** Sums parts of the window that begins at column `window`. */
function sumParts(table: Float64Array, window: number, parts: readonly Part[]): number {
  let sum = 0;
  for (let i = 0; i < parts.length; i++) {
    const { x, y, width, height } = parts[i]!;
    const left = (window + x) * STRIDE + y;
    const right = left + width * STRIDE;
    sum += table[right + height]! - table[left + height]! - table[right]! + table[left]!;
  }
  return sum;
}
