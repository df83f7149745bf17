import { expect, it } from 'vitest';
import { drawPicture, ticksOf } from './picture-lanes.ts';
import { recordDrawing } from './test-pen.ts';

it('labels the naturals of a chromagram from C at the bottom, each in the middle of its row', () => {
  const ticks = ticksOf('chromagram');
  expect(ticks.map(({ label }) => label).join('')).toBe('CDEFGAB');
  expect(ticks[0]?.heightFraction).toBeCloseTo(0.5 / 12, 9);
  expect(ticks.at(-1)?.heightFraction).toBeCloseTo(11.5 / 12, 9);
});

it('places the frequencies of a spectrogram on Slaney’s mel scale', () => {
  const heights = Object.fromEntries(ticksOf('spectrogram').map((tick) => [tick.label, tick.heightFraction]));
  // Linear up to 1 kHz, logarithmic above. 30 Hz is mel 0.45 and 10 kHz mel 15 + 27 ln 10 / ln 6.4 = 48.49: 48.04 in all.
  expect((heights['500 Hz']! - heights['200 Hz']!) / (heights['1 kHz']! - heights['500 Hz']!)).toBeCloseTo(
    3 / 5,
    9,
  );
  // To the three digits of 48.04.
  expect(heights['2 kHz']! - heights['1 kHz']!).toBeCloseTo((27 * Math.log(2)) / Math.log(6.4) / 48.04, 3);
  expect(Object.values(heights).every((value) => value > 0 && value < 1)).toBe(true);
});

const PLACE = { view: { startSeconds: 25, endSeconds: 75 }, widthPx: 400, heightPx: 120 };
const image = { naturalWidth: 1_000, naturalHeight: 96 } as HTMLImageElement;

it('draws the part of the picture that is in view, and its axis from the bottom', () => {
  const { context, drawn } = recordDrawing(PLACE);
  drawPicture(context, { name: 'chromagram', image, durationSeconds: 100 });
  // Source: 500 px from 250 px on, the whole height; target: the whole lane.
  expect(drawn.images).toEqual([[250, 0, 500, 96, 0, 0, 400, 120]]);
  const [first, last] = [drawn.texts[0], drawn.texts.at(-1)];
  expect([first?.text, last?.text]).toEqual(['C', 'B']);
  // Rows are 10 px high: C is the lowest, B the highest.
  expect(first?.topPx).toBeCloseTo(115, 9);
  expect(last?.topPx).toBeCloseTo(5, 9);
});
