import { describe, expect, it } from 'vitest';
import { runBeatNetwork } from '../learned/beat-network.ts';
import { readModelFile } from '../learned/model-file.ts';
import { makeBeatModel } from '../learned/test-model.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeRandom } from '../test-random.ts';
import { computeLearnedActivation } from './learned-activation.ts';

const FRAME_RATE_HZ = 50;
const BANDS = 81;
const model = readModelFile(makeBeatModel({ frontChannels: 12, channels: 5, dilations: [1, 2, 4] }));

/** Noise and silence in alternation, of these lengths in seconds. */
function makeMel(...seconds: { sound?: number; silence?: number }[]): FrameMatrix {
  const random = makeRandom(3);
  const rows = seconds.flatMap(({ sound = 0, silence = 0 }) => [
    ...Array.from({ length: sound * FRAME_RATE_HZ * BANDS }, random),
    ...Array.from({ length: silence * FRAME_RATE_HZ * BANDS }, () => 0),
  ]);
  const frameCount = rows.length / BANDS;
  return { frameRateHz: FRAME_RATE_HZ, binCount: BANDS, frameCount, data: Float32Array.from(rows) };
}

const whole = (mel: FrameMatrix) => runBeatNetwork(createKernels(), model, mel, 0.5);

describe('computeLearnedActivation', () => {
  const framesOf = (seconds: number) => Math.round(seconds * FRAME_RATE_HZ);
  const isZero = (values: Float32Array) => values.every((value) => value === 0);

  it('is the output of the network where no silence lasts five seconds', () => {
    const mel = makeMel({ sound: 2, silence: 4 }, { sound: 2 });
    expect(computeLearnedActivation(model, mel, 0.5)).toEqual({
      ...whole(mel),
      frameRateHz: FRAME_RATE_HZ,
      source: 'learned',
    });
  });

  it.each([5, 100, 150])(
    'is zero in %i seconds of silence except for 0.2 s at either end',
    (silenceSeconds) => {
      const mel = makeMel({ sound: 3, silence: silenceSeconds }, { sound: 3, silence: silenceSeconds });
      const all = whole(mel);
      // The network of this test does not output zero in silence.
      expect(Math.min(...all.beat)).toBeGreaterThan(0.1);
      const masked = computeLearnedActivation(model, mel, 0.5);
      for (const output of ['beat', 'downbeat'] as const) {
        const [secondStartSeconds, secondEndSeconds] = [3 + silenceSeconds, 6 + silenceSeconds];
        for (const [fromSeconds, toSeconds] of [
          [0, 3.2],
          [secondStartSeconds - 0.2, secondEndSeconds + 0.2],
        ] as const) {
          const [start, end] = [framesOf(fromSeconds), framesOf(toSeconds)];
          expect(masked[output].subarray(start, end)).toEqual(all[output].subarray(start, end));
        }
        expect(isZero(masked[output].subarray(framesOf(3.2), framesOf(secondStartSeconds - 0.2)))).toBe(true);
        expect(isZero(masked[output].subarray(framesOf(secondEndSeconds + 0.2)))).toBe(true);
      }
    },
  );

  it('is the output of the network in soft sound too, down to 60 dB below the recording', () => {
    const mel = makeMel({ sound: 12 });
    const soften = (levelDb: number): FrameMatrix => ({
      ...mel,
      data: mel.data.map((value, at) => {
        const seconds = Math.floor(at / BANDS) / FRAME_RATE_HZ;
        return seconds >= 3 && seconds < 9 ? value * 10 ** (levelDb / 20) : value;
      }),
    });
    // The six soft seconds, too few for steady noise, lower the mean power by 3 dB.
    const [soft, silent] = [soften(-62), soften(-64)];
    expect(computeLearnedActivation(model, soft, 0.5).beat).toEqual(whole(soft).beat);
    const { beat } = computeLearnedActivation(model, silent, 0.5);
    expect(isZero(beat.subarray(framesOf(3.2), framesOf(8.8)))).toBe(true);
  });

  it('is zero in silence throughout', () => {
    const { beat } = computeLearnedActivation(model, makeMel({ silence: 200 }), 0);
    expect(beat.every((value) => value === 0)).toBe(true);
  });
});
