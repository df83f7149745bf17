import { expect, it } from 'vitest';
import { loopBetween } from './use-gestures.ts';

it.each([
  ['from left to right', 10, 20, { startSeconds: 10, endSeconds: 20 }],
  ['from right to left', 20, 10, { startSeconds: 10, endSeconds: 20 }],
  ['over both ends of the song', -3, 70, { startSeconds: 0, endSeconds: 60 }],
  // Playback would not leave a loop without length.
  ['and back to where it began', 20, 20, null],
  ['after the end of the song', 61, 70, null],
])('a drag %s: between %d s and %d s of a minute, the loop is %j', (_, pressedSeconds, seconds, loop) => {
  expect(loopBetween(pressedSeconds, seconds, 60)).toEqual(loop);
});
