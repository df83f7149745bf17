import { SECTION_LABELS as CONTRACT_LABELS } from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import { groupColour, SECTION_LABELS } from './sections.ts';

it('a section can be renamed to every name that the service knows', () => {
  expect([...SECTION_LABELS].sort()).toEqual([...CONTRACT_LABELS].sort());
});

describe('the colour of a group of sections', () => {
  it('is one for each of eight letters, and comes again with the ninth', () => {
    const colours = [...'ABCDEFGH'].map(groupColour);
    expect(new Set(colours).size).toBe(8);
    expect([...'IJ'].map(groupColour)).toEqual(colours.slice(0, 2));
  });

  it('goes on after Z: groups of two letters are told apart, too', () => {
    // AA is the 27th group, and 27 is three more than a multiple of eight.
    expect(['AA', 'AB'].map(groupColour)).toEqual(['C', 'D'].map(groupColour));
  });

  it('is there for a name that a person has made up', () => {
    expect(groupColour('@')).toBe(groupColour('H'));
  });
});
