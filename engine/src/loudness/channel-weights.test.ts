import { expect, it } from 'vitest';
import { listChannelWeights } from './channel-weights.ts';

/** Degrees to the side of each loudspeaker as ITU-R BS.2051 places them, in the order of WAVE files; null is the low-frequency one. */
const AZIMUTHS: Record<number, (number | null)[]> = {
  1: [0],
  2: [30, 30],
  3: [30, 30, 0],
  4: [30, 30, 110, 110],
  5: [30, 30, 0, 110, 110],
  6: [30, 30, 0, null, 110, 110],
  7: [30, 30, 0, null, 180, 110, 110],
  8: [30, 30, 0, null, 135, 135, 90, 90],
};

it.each(Object.entries(AZIMUTHS))(
  '%s channels are weighted by their azimuth, as in BS.1770-5',
  (count, azimuths) => {
    const weights = azimuths.map((degrees) => {
      if (degrees === null) return 0;
      return degrees >= 60 && degrees <= 120 ? 1.41 : 1;
    });
    expect(listChannelWeights(Number(count))).toEqual(weights);
  },
);

it('all channels weigh 1 in a layout that is not known', () => {
  expect(listChannelWeights(12)).toEqual(Array.from({ length: 12 }, () => 1));
});
