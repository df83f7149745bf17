import { expect, it } from 'vitest';
import { listChannelWeights } from './channel-weights.ts';

/** Each loudspeaker's angle to the side in ITU-R BS.2051, in the order of WAVE files; null is the low-frequency channel. */
const AZIMUTHS_DEGREES: Record<number, (number | null)[]> = {
  1: [0],
  2: [30, 30],
  3: [30, 30, 0],
  4: [30, 30, 110, 110],
  5: [30, 30, 0, 110, 110],
  6: [30, 30, 0, null, 110, 110],
  7: [30, 30, 0, null, 180, 110, 110],
  8: [30, 30, 0, null, 135, 135, 90, 90],
};

it.each(Object.entries(AZIMUTHS_DEGREES))(
  '%s channels are weighted by their azimuth, as in BS.1770-5',
  (count, azimuthsDegrees) => {
    const weights = azimuthsDegrees.map((degrees) => {
      if (degrees === null) return 0;
      return degrees >= 60 && degrees <= 120 ? 1.41 : 1;
    });
    expect(listChannelWeights(Number(count))).toEqual(weights);
  },
);

it('all channels of an unknown layout weigh 1', () => {
  expect(listChannelWeights(12)).toEqual(Array.from({ length: 12 }, () => 1));
});
