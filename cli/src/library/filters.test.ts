import { expect, it } from 'vitest';
import { joinMinus } from './filters.ts';

it.each([
  [
    ['--sort', '-bpm', 'night'],
    ['--sort=-bpm', 'night'],
  ],
  [['--loudness-min', '-8'], ['--loudness-min=-8']],
  [['--shift-beats', '-1'], ['--shift-beats=-1']],
  [
    ['--sort', 'bpm', '--json'],
    ['--sort', 'bpm', '--json'],
  ],
  [
    ['--loudness-min', '--json'],
    ['--loudness-min', '--json'],
  ],
  [
    ['--tag', '-8'],
    ['--tag', '-8'],
  ],
])('joins %j to %j', (args, joined) => {
  expect(joinMinus(args)).toEqual(joined);
});
