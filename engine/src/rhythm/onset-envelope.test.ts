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

const findOnsets = (mel: FrameMatrix, rms: number): number[] =>
  pickOnsets(computeOnsetEnvelope(mel, rms).full, 50).map((onset) => onset.timeSeconds);

describe('computeOnsetEnvelope', () => {
  it.each([
    ['a kick drum in the five low bands', 0, 5, [5 / 81, 1, 0]],
    ['one low band', 4, 5, [1 / 81, 1 / 5, 0]],
    ['the middle', 5, 50, [45 / 81, 0, 0]],
    ['the 31 high bands', 50, 81, [31 / 81, 0, 1]],
  ])('is the rise over two frames earlier, per band of each register: %s', (_, from, end, shares) => {
    const mel = makeMel(60, (frame, band) => (frame >= 30 && band >= from && band < end ? 1 : 0));
    const { full, low, high } = computeOnsetEnvelope(mel, 1);
    for (const [register, share] of [full, low, high].map(
      (curve, index) => [curve, shares[index]!] as const,
    )) {
      // Magnitude 1 at an RMS of 1 is ln(1 + 10), in single precision and with an RMS floor of about 1e-6.
      for (const frame of [30, 31]) expect(register[frame]).toBeCloseTo(share * Math.log(11), 4);
      for (const frame of [29, 32]) expect(register[frame]).toBe(0);
    }
  });

  it('rises where sounds begin, and nowhere else', () => {
    const starts = [40, 90, 115];
    const mel = makeMel(200, (frame, band) =>
      starts.reduce(
        (sum, start) => sum + (frame >= start ? Math.exp(-(frame - start) / 8) / (1 + band / 20) : 0),
        0,
      ),
    );
    const found = findOnsets(mel, 1);
    expect(found).toHaveLength(3);
    // The rise is measured over two frames, so the envelope is as high one frame after the start as on it.
    found.forEach((time, index) => {
      expect(Math.abs(time - starts[index]! / 50)).toBeLessThanOrEqual(0.02);
    });
  });

  it('ignores vibrato, which moves energy between neighbouring bands, but not leaps', () => {
    const vibrato = makeMel(300, (frame, band) => {
      const centre = 40 + Math.sin((2 * Math.PI * 6 * frame) / 50);
      return Math.max(0, 1 - Math.abs(band - centre) / 2);
    });
    expect(findOnsets(vibrato, 1).filter((time) => time > 0.2)).toEqual([]);
    const leaps = makeMel(300, (frame, band) =>
      band === (Math.floor(frame / 25) % 2 === 0 ? 30 : 50) ? 1 : 0,
    );
    // A leap every 25 of 300 frames; the first tone sounds from the start.
    expect(findOnsets(leaps, 0.1)).toHaveLength(11);
  });

  it('does not depend on the gain of the file', () => {
    const random = makeRandom(5);
    const mel = makeMel(200, (frame) => (frame % 30 === 0 ? 1 : 0.05) * random());
    const louder = { ...mel, data: mel.data.map((value) => 16 * value) };
    const quiet = computeOnsetEnvelope(mel, 0.5).full;
    // The RMS floor and single precision leave a difference below the fourth digit.
    computeOnsetEnvelope(louder, 8).full.forEach((value, frame) => {
      expect(value).toBeCloseTo(quiet[frame]!, 4);
    });
  });

  it.each([0, 1, 2, 5])('is zero in %i frames of a constant', (frameCount) => {
    const { full } = computeOnsetEnvelope(
      makeMel(frameCount, () => 1),
      1,
    );
    expect([...full]).toEqual(Array(frameCount).fill(0));
  });
});
