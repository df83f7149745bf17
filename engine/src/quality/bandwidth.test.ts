import { describe, expect, it } from 'vitest';
import { BANDWIDTH_FRAMES_MIN, measureBandwidth } from './bandwidth.ts';

const BIN_HZ = 10;
const RATE_HZ = 44_100;

/** A spectrum at `belowDbfs` up to the edge and at `aboveDbfs` beyond it. */
function measureEdge(
  edgeHz: number,
  aboveDbfs: number,
  { belowDbfs = -40, sampleRateHz = RATE_HZ, frameCount = BANDWIDTH_FRAMES_MIN } = {},
) {
  const powers = Float64Array.from(
    { length: RATE_HZ / 2 / BIN_HZ + 1 },
    (_, bin) => 10 ** ((bin * BIN_HZ <= edgeHz ? belowDbfs : aboveDbfs) / 10),
  );
  return measureBandwidth({ binHz: BIN_HZ, frameCount, powers }, sampleRateHz);
}

describe('a cliff', () => {
  it('ends the band, and points to an encoder', () => {
    const { bandwidthHz, lossyTranscode } = measureEdge(16_000, -130);
    // Levels are averaged over three bins to either side.
    expect(bandwidthHz).toBe(16_030);
    expect(lossyTranscode).toEqual({ verdict: 'likely', cutoffHz: 16_030, confidence: 1 });
  });

  it.each([
    [-105, -125.1, 'likely', 20.1 / 50],
    [-105, -124.9, 'unlikely', 0.6],
    [-80, -120, 'likely', 40 / 50],
  ])('from %d to %d dBFS is %s, with a confidence of %d', (belowDbfs, aboveDbfs, verdict, confidence) => {
    const { lossyTranscode } = measureEdge(16_000, aboveDbfs, { belowDbfs });
    expect(lossyTranscode).toMatchObject({ verdict, confidence: expect.closeTo(confidence, 6) });
  });

  // As above, the band ends 30 Hz higher.
  it.each([
    [9_960, 'unlikely', null, 0.8],
    [9_970, 'likely', 10_000, 1],
    [20_670, 'likely', 20_700, 1],
    [20_680, 'unlikely', null, 0.8],
  ])('at %d Hz is %s: encoders cut off from 10 to 20.7 kHz', (edgeHz, verdict, cutoffHz, confidence) => {
    expect(measureEdge(edgeHz, -130).lossyTranscode).toEqual({ verdict, cutoffHz, confidence });
  });

  it('is not judged at a sampling rate below 40 kHz, or in fewer than four frames', () => {
    const unknown = { verdict: 'unknown', cutoffHz: null, confidence: 0 };
    expect(measureEdge(16_000, -130, { sampleRateHz: 40_000 }).lossyTranscode.verdict).toBe('likely');
    expect(measureEdge(16_000, -130, { sampleRateHz: 39_999 })).toEqual({
      bandwidthHz: 16_030,
      lossyTranscode: unknown,
    });
    expect(measureEdge(16_000, -130, { frameCount: BANDWIDTH_FRAMES_MIN - 1 })).toEqual({
      bandwidthHz: null,
      lossyTranscode: unknown,
    });
  });
});

describe('a spectrum without a cliff', () => {
  it('reaches to Nyquist when it is full', () => {
    expect(measureEdge(RATE_HZ / 2, -130)).toEqual({
      bandwidthHz: RATE_HZ / 2,
      lossyTranscode: { verdict: 'unlikely', cutoffHz: null, confidence: 0.8 },
    });
  });

  it('has no bandwidth when it is inaudible, at -110 dBFS', () => {
    expect(measureEdge(-1, -110.1).bandwidthHz).toBeNull();
    expect(measureEdge(-1, -109.9).bandwidthHz).toBe(RATE_HZ / 2);
  });
});
