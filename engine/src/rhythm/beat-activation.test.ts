import { expect, it } from 'vitest';
import { observeBeats } from './beat-activation.ts';

const observe = (beat: number, downbeat: number) => [
  ...observeBeats({
    frameRateHz: 50,
    beat: Float32Array.of(0, beat),
    downbeat: Float32Array.of(0, downbeat),
    source: 'learned',
  }),
];

it.each([
  // "No beat" is spread over fifteen sixteenths of a period.
  ['as likely as not a beat, and no downbeat', 0.5, 0, 0.5, 0.02, 0.5],
  ['a beat that may be a downbeat', 0.8, 0.3, 0.5, 0.3, 0.2],
  // A twentieth is left for the beat, since the two outputs do not add up to one.
  ['all downbeat', 0.6, 0.6, 0.03, 0.6, 0.4],
  ['a downbeat that is heard more plainly than its beat', 0.2, 0.6, 0.03, 0.6, 0.4],
  // No probability is nearer to 0 or 1 than .02.
  ['surely a beat', 1, 0, 0.98, 0.02, 0.02],
  ['surely none', 0, 0, 0.02, 0.02, 0.98],
])('a frame that is %s', (_name, beat, downbeat, beatAlone, downbeatAlone, neither) => {
  const [, , forBeat, forDownbeat] = observe(beat, downbeat);
  // Values of 32 bits.
  expect(forBeat).toBeCloseTo(Math.log((15 * beatAlone) / neither), 5);
  expect(forDownbeat).toBeCloseTo(Math.log((15 * downbeatAlone) / neither), 5);
});

it('gives two log likelihood ratios for each frame, and none without frames', () => {
  expect(observe(0.5, 0)).toHaveLength(4);
  const nothing = new Float32Array(0);
  expect(
    observeBeats({ frameRateHz: 50, beat: nothing, downbeat: nothing, source: 'classical' }),
  ).toHaveLength(0);
});
