import { describe, expect, it } from 'vitest';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { makeRandom } from '../test-random.ts';
import { computeOnsetEnvelope } from './onset-envelope.ts';
import { pickOnsets } from './onsets.ts';

const BANDS = 81;

function makeMel(frameCount: number, value: (frame: number, band: number) => number): FrameMatrix {
  const data = new Float32Array(frameCount * BANDS);
  for (let frame = 0; frame < frameCount; frame++) {
    for (let band = 0; band < BANDS; band++) data[frame * BANDS + band] = value(frame, band);
  }
  return { frameRateHz: 50, binCount: BANDS, frameCount, data };
}

const findOnsets = (mel: FrameMatrix): number[] =>
  pickOnsets(computeOnsetEnvelope(mel, 1).full, 50).map((onset) => onset.timeSeconds);

describe('onsets', () => {
  it('are found where a sound begins, and nowhere else', () => {
    const starts = [40, 90, 115];
    const mel = makeMel(200, (frame, band) =>
      starts.reduce(
        (sum, start) => sum + (frame >= start ? Math.exp(-(frame - start) / 8) / (1 + band / 20) : 0),
        0,
      ),
    );
    const found = findOnsets(mel);
    expect(found).toHaveLength(3);
    // The rise is measured over two frames, so the envelope is as high one frame after the start as on it.
    found.forEach((time, index) => {
      expect(Math.abs(time - starts[index]! / 50)).toBeLessThanOrEqual(0.02);
    });
  });

  it('are not caused by vibrato, which moves energy between neighbouring bands', () => {
    const vibrato = makeMel(300, (frame, band) => {
      const centre = 40 + Math.sin((2 * Math.PI * 6 * frame) / 50);
      return Math.max(0, 1 - Math.abs(band - centre) / 2);
    });
    expect(findOnsets(vibrato).filter((time) => time > 0.2)).toEqual([]);
    const leaps = makeMel(300, (frame, band) =>
      band === (Math.floor(frame / 25) % 2 === 0 ? 30 : 50) ? 1 : 0,
    );
    expect(pickOnsets(computeOnsetEnvelope(leaps, 0.1).full, 50).length).toBeGreaterThan(8);
  });

  it('do not depend on the gain of the file', () => {
    const random = makeRandom(5);
    const mel = makeMel(200, (frame) => (frame % 30 === 0 ? 1 : 0.05) * random());
    const louder = { ...mel, data: mel.data.map((value) => 16 * value) };
    const quiet = computeOnsetEnvelope(mel, 0.5).full;
    computeOnsetEnvelope(louder, 8).full.forEach((value, frame) => {
      expect(value).toBeCloseTo(quiet[frame]!, 4);
    });
  });

  it.each([0, 1, 2, 5])('are none in %i frames of a constant', (frameCount) => {
    const mel = makeMel(frameCount, () => 1);
    expect(computeOnsetEnvelope(mel, 1).full.every((value) => value === 0)).toBe(true);
    expect(findOnsets(mel)).toEqual([]);
  });

  it('are counted in their register', () => {
    const strike = (low: number, high: number): FrameMatrix =>
      makeMel(60, (frame, band) => (frame >= 30 && band >= low && band < high ? 1 : 0));
    const kick = computeOnsetEnvelope(strike(0, 5), 1);
    expect(kick.low[30]!).toBeGreaterThan(1);
    expect(kick.high[30]!).toBe(0);
    const hat = computeOnsetEnvelope(strike(55, 81), 1);
    expect(hat.low[30]!).toBe(0);
    expect(hat.high[30]!).toBeGreaterThan(1);
  });
});
