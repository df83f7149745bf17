import { describe, expect, it } from 'vitest';
import { STAGE_SAMPLES } from '../signal/block-stage.ts';
import { createKernels } from '../signal/kernels.ts';
import { createStereoMeter } from './stereo.ts';

/** One block a second. */
const RATE_HZ = STAGE_SAMPLES;

/** The stereo image of blocks of one pair of samples each, the right one inverted from block `changeBlock` on. */
function measure([left, right]: readonly [number, number], blockCount: number, changeBlock = blockCount) {
  const kernels = createKernels();
  const [leftAt, rightAt, invertedAt] = [left, right, -right].map(
    (value) => kernels.copyFloats([value]).pointer,
  );
  const meter = createStereoMeter(kernels, RATE_HZ);
  for (let block = 0; block < blockCount; block++) {
    meter.take(leftAt!, block < changeBlock ? rightAt! : invertedAt!, left * left, right * right, 1);
  }
  return meter.finish();
}

describe('the stereo image', () => {
  it('has the ratios that its definitions give', () => {
    // LL, RR and LR are 0.25, 1 and 0.5.
    expect(measure([0.5, 1], 1)).toMatchObject({
      correlation: 1,
      width: 0.5 - 0.5 / 1.25,
      monoLossDb: expect.closeTo(10 * Math.log10(2.5 / 2.25), 9),
      imbalanceDb: expect.closeTo(10 * Math.log10(0.25), 9),
      phaseInverted: false,
    });
  });

  it('is inverted from a correlation of -0.5 on', () => {
    expect(measure([0.5, 0.5], 8, 2)).toMatchObject({ correlation: -0.5, phaseInverted: true });
    expect(measure([0.5, 0.5], 800, 201)).toMatchObject({ correlation: -0.4975, phaseInverted: false });
  });

  it('keeps ratios within 60 dB when a channel is silent', () => {
    expect(measure([1, 0], 1)).toMatchObject({ correlation: 0, imbalanceDb: 60 });
    expect(measure([0, 1], 1)).toMatchObject({ imbalanceDb: -60 });
  });

  it('is unknown when both channels are silent', () => {
    expect(measure([0, 0], 3)).toBeNull();
    const kernels = createKernels();
    const [sound, silence] = [0.5, 0].map((value) => kernels.copyFloats([value]).pointer);
    const meter = createStereoMeter(kernels, RATE_HZ);
    meter.take(sound!, sound!, 0.25, 0.25, 1);
    meter.take(silence!, silence!, 0, 0, 1);
    const { correlationCurve, widthCurve } = meter.finish()!;
    expect([correlationCurve.values, widthCurve.values]).toEqual([
      [1, null],
      [0, null],
    ]);
  });

  it('merges adjacent points of a curve when there are 4096', () => {
    const { correlationCurve } = measure([0.5, 0.5], 4096 + 3, 4096)!;
    // 2048 pairs, then a pair and a single block.
    expect(correlationCurve.hopSeconds).toBe(2);
    expect([4095, 4096].map((count) => measure([0.5, 0.5], count)!.correlationCurve.hopSeconds)).toEqual([
      1, 2,
    ]);
    expect(correlationCurve.values).toEqual([...new Array<number>(2048).fill(1), -1, -1]);
  });
});
