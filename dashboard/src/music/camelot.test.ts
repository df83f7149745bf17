import { PITCH_NAMES } from '@earshot/contract';
import { expect, it } from 'vitest';
import { CAMELOT_KEYS, camelotColour, camelotOf, mixesWith } from './camelot.ts';

it('each hour is a fifth above the one before, with C major and A minor at 8', () => {
  const pitchAt = (tonic: 'C' | 'A', fifths: number) => {
    const semitones = PITCH_NAMES.indexOf(tonic) + 7 * fifths;
    return PITCH_NAMES[((semitones % 12) + 12) % 12];
  };
  for (let hour = 1; hour <= 12; hour++) {
    expect(CAMELOT_KEYS[`${hour}B`]).toBe(pitchAt('C', hour - 8));
    expect(CAMELOT_KEYS[`${hour}A`]).toBe(`${pitchAt('A', hour - 8)}m`);
  }
});

it.each([
  ['C', '8B'],
  ['Am', '8A'],
  ['C#m', '12A'],
  ['Db', null],
])('the Camelot code of %s is %s', (notation, camelot) => {
  expect(camelotOf(notation)).toBe(camelot);
});

it.each([
  ['8A', ['8B', '9A', '7A']],
  ['12B', ['12A', '1B', '11B']],
  ['1A', ['1B', '2A', '12A']],
])('%s mixes with %j', (camelot, others) => {
  expect(mixesWith(camelot)).toEqual(others);
});

it('hues are 30 degrees apart and wrap around; minor keys are darker', () => {
  expect(camelotColour('1B')).toBe('oklch(0.86 0.1 170)');
  expect(camelotColour('1A')).toBe('oklch(0.76 0.115 170)');
  expect(camelotColour('2B')).toBe('oklch(0.86 0.1 200)');
  expect(camelotColour('12A')).toBe('oklch(0.76 0.115 140)');
});
