import { expect, it } from 'vitest';
import { ticksOf } from './picture-lanes.ts';

it('names the pitches of a chromagram from C at its foot', () => {
  const ticks = ticksOf('chromagram');
  expect(ticks.map(({ label }) => label).join('')).toBe('CDEFGAB');
  expect(ticks[0]?.placeFraction).toBeCloseTo(0.5 / 12);
  expect(ticks.at(-1)?.placeFraction).toBeCloseTo(11.5 / 12);
});

it('spaces the frequencies of a spectrogram as its bands are', () => {
  const place = Object.fromEntries(ticksOf('spectrogram').map((tick) => [tick.label, tick.placeFraction]));
  // Even up to 1 kHz, by octaves above it.
  expect((place['500 Hz']! - place['200 Hz']!) / (place['1 kHz']! - place['500 Hz']!)).toBeCloseTo(3 / 5);
  expect(place['2 kHz']! - place['1 kHz']!).toBeCloseTo((27 * Math.log(2)) / Math.log(6.4) / 48.04, 3);
  expect(Object.values(place).every((value) => value > 0 && value < 1)).toBe(true);
});
