import { expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { loopHere } from './loop-here.ts';

const song = (values: object) =>
  ({ bpm: 90, time_signature: 3, duration_seconds: 60, structure: null, ...values }) as unknown as Result;

it('loops the section under the playhead', () => {
  const sections = [
    { start_seconds: 0, end_seconds: 20 },
    { start_seconds: 20, end_seconds: 50 },
  ];
  expect(loopHere(song({ structure: { sections } }), 31)).toEqual({ startSeconds: 20, endSeconds: 50 });
});

it.each([
  // A waltz at 90 BPM: a bar is two seconds; at 60 BPM, three.
  ['four bars', {}, 10, 18],
  ['four slower bars', { bpm: 60 }, 10, 22],
  ['four bars of four beats where the meter is unknown', { bpm: 60, time_signature: null }, 10, 26],
  ['what is left of the song', {}, 55, 60],
  ['eight seconds where there is no tempo', { bpm: null, time_signature: null }, 10, 18],
])('without sections, loops %s', (_, values, startSeconds, endSeconds) => {
  expect(loopHere(song(values), startSeconds)).toEqual({ startSeconds, endSeconds });
});
