import { describe, expect, it } from 'vitest';
import { runBeatNetwork } from '../learned/beat-network.ts';
import { readModelFile } from '../learned/model-file.ts';
import { makeBeatModel } from '../learned/test-model.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeRandom } from '../test-random.ts';
import { hearBeats } from './hear-beats.ts';

const FRAME_RATE_HZ = 50;
const BANDS = 81;
const model = readModelFile(makeBeatModel({ frontChannels: 12, channels: 5, dilations: [1, 2, 4] }));

/** Noise and silence in turn, of these lengths in seconds. */
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

describe('hearBeats', () => {
  it('runs the network on everything where no silence is long', () => {
    const mel = makeMel({ sound: 2, silence: 100 }, { sound: 2 });
    expect(hearBeats(model, mel, 0.5)).toEqual(whole(mel));
  });

  it('leaves out the inside of a long silence without changing the rest', () => {
    const mel = makeMel({ sound: 3, silence: 150 }, { sound: 3, silence: 150 });
    const { beat, downbeat } = hearBeats(model, mel, 0.5);
    const all = whole(mel);
    const isHeard = (seconds: number) => beat[seconds * FRAME_RATE_HZ] !== 0;
    expect([1, 32, 34, 122, 124, 154, 185, 187, 305].map(isHeard)).toEqual([
      true,
      true,
      false,
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
    // The network of this test sees 0.3 s to either side, so a second from the edges nothing differs.
    for (const [from, to] of [
      [0, 32],
      [124, 185],
    ] as const) {
      const [start, end] = [from * FRAME_RATE_HZ, to * FRAME_RATE_HZ];
      expect(beat.subarray(start, end)).toEqual(all.beat.subarray(start, end));
      expect(downbeat.subarray(start, end)).toEqual(all.downbeat.subarray(start, end));
    }
  });

  it('is zero where there is only silence', () => {
    const { beat } = hearBeats(model, makeMel({ silence: 200 }), 0);
    expect(beat.every((value) => value === 0)).toBe(true);
  });
});
