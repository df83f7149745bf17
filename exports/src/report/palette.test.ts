import { expect, it } from 'vitest';
import { groupColour, heatColour } from './palette.ts';

it('gives neighbouring groups different colours, and repeats after the eighth', () => {
  const colours = [...'ABCDEFGH'].map(groupColour);
  expect(new Set(colours).size).toBe(8);
  expect(groupColour('I')).toBe(colours[0]);
  // A corrected group may begin with any character; this one is 32 before A.
  expect(groupColour('!')).toBe(colours[0]);
});

it('goes from the darkest to the brightest colour, and never gets darker', () => {
  const brightness = Array.from({ length: 256 }, (_, value) =>
    heatColour(value).reduce((sum, channel) => sum + channel),
  );
  expect(heatColour(0)).toEqual([8, 10, 24]);
  expect(heatColour(255)).toEqual([255, 252, 224]);
  expect(brightness).toEqual(brightness.toSorted((a, b) => a - b));
});
