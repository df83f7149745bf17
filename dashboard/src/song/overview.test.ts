import { expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { characterWords, otherKeys, tempoAbsence } from './overview.ts';

it('a corrected key is not an alternative to itself; its parallel and its tonic in other keys are', () => {
  const alternatives = [
    { key: 'A', scale: 'minor', weight: 0.5 },
    { key: 'A', scale: 'major', weight: 0.3 },
    { key: 'C', scale: 'minor', weight: 0.2 },
  ];
  const result = { key: 'A', scale: 'minor', tonal: { alternatives } } as unknown as Result;
  expect(otherKeys(result)).toEqual(alternatives.slice(1));
  expect(otherKeys({ ...result, tonal: null })).toEqual([]);
});

it('genres from a confidence of a tenth, then moods; a word that is both is said once', () => {
  const genres = [
    { label: 'experimental', confidence: 0.6 },
    { label: 'ambient', confidence: 0.1 },
    { label: 'pop', confidence: 0.09 },
  ];
  const result = {
    tags: { genres },
    genre_suggestions: ['jazz'],
    mood_tags: ['dark', 'experimental'],
  } as unknown as Result;
  expect(characterWords(result)).toEqual(['experimental', 'ambient', 'dark']);
  expect(characterWords({ ...result, tags: null })).toEqual(['jazz', 'dark', 'experimental']);
});

it.each([
  [{ 'rhythm.bpm': 'outside_hint' }, 'The tempo is outside the bounds given.'],
  [{ 'rhythm.bpm': 'too_short' }, 'Too short for a tempo.'],
  [{ 'rhythm.bpm': 'no_pulse' }, 'No steady pulse.'],
  [{}, 'No steady pulse.'],
])('%j: a missing tempo is explained as "%s"', (unavailable, words) => {
  expect(tempoAbsence({ bpm: null, unavailable } as unknown as Result)).toBe(words);
});

it('a tempo that a person gave is not missing', () => {
  const corrected = { bpm: 120, unavailable: { 'rhythm.bpm': 'no_pulse' } } as unknown as Result;
  expect(tempoAbsence(corrected)).toBeNull();
});
