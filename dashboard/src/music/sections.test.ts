import { SECTION_LABELS as CONTRACT_LABELS } from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import { groupColour, SECTION_LABELS } from './sections.ts';

it('the labels are those of the contract', () => {
  expect([...SECTION_LABELS].sort()).toEqual([...CONTRACT_LABELS].sort());
});

describe('the colour of a group of sections', () => {
  it('is different for eight groups and repeats from the ninth', () => {
    const colours = [...'ABCDEFGH'].map(groupColour);
    expect(new Set(colours).size).toBe(8);
    expect([...'IJ'].map(groupColour)).toEqual(colours.slice(0, 2));
  });

  it('continues after Z with AA and AB', () => {
    // AA is the 27th group, and 27 = 3 × 8 + 3, so it has the colour of C, the third.
    expect(['AA', 'AB'].map(groupColour)).toEqual(['C', 'D'].map(groupColour));
  });

  it('exists for any other character', () => {
    expect(groupColour('@')).toBe(groupColour('H'));
  });
});
