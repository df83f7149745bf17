import { describe, expect, it } from 'vitest';
import { measureSwing } from './swing.ts';

const FRAME_RATE_HZ = 50;

/** An onset envelope with a bump of height 1 on every beat and, unless `ratio` is null, a lower one that share of the way to the next. */
function makeEnvelope(beatsSeconds: readonly number[], ratio: number | null, height = 0.5): Float32Array {
  const envelope = new Float32Array(Math.ceil((beatsSeconds.at(-1)! + 1) * FRAME_RATE_HZ)).fill(0.01);
  const strike = (timeSeconds: number, height: number): void => {
    const centreFrame = timeSeconds * FRAME_RATE_HZ;
    for (let frame = Math.ceil(centreFrame - 2); frame <= centreFrame + 2; frame++) {
      envelope[frame] = Math.max(envelope[frame] ?? 0, height * (1 - ((frame - centreFrame) / 2.5) ** 2));
    }
  };
  beatsSeconds.forEach((beatSeconds, index) => {
    strike(beatSeconds, 1);
    const nextSeconds = beatsSeconds[index + 1];
    if (ratio !== null && nextSeconds !== undefined) {
      strike(beatSeconds + ratio * (nextSeconds - beatSeconds), height);
    }
  });
  return envelope;
}

const beatsSeconds = Array.from({ length: 64 }, (_, n) => 0.3 + (n * 60) / 117);

describe('measureSwing', () => {
  it.each([0.46, 0.5, 0.55, 0.6, 0.667])('measures off-beats at %f of the beat', (ratio) => {
    const swing = measureSwing(makeEnvelope(beatsSeconds, ratio), FRAME_RATE_HZ, beatsSeconds)!;
    // A frame is 4 % of a beat here, and 64 beats that fall anywhere between frames give the mean to a quarter of that.
    expect(Math.abs(swing.ratio - ratio)).toBeLessThan(0.01);
    expect(swing.confidence).toBeGreaterThan(0.5);
  });

  it.each([
    [0.5, 0.71],
    [0.3, 0.5],
  ])('is as sure as the off-beat is prominent: height %d', (height, confidence) => {
    // A bump of height h covers 3.33 h frames of the 25.6 of a beat, so with the floor of 0.01 the mean is 0.01 + 0.13 (1 + h), the
    // prominence p = (h - mean) / (1 - mean), and the confidence p / (p + 0.15). Sampling at whole frames changes it by a few per cent.
    const swing = measureSwing(makeEnvelope(beatsSeconds, 0.5, height), FRAME_RATE_HZ, beatsSeconds)!;
    expect(Math.abs(swing.confidence - confidence)).toBeLessThan(0.05);
  });

  it.each([0.015, 0.05])(
    'measures from the peak of the envelope when it is %d s after the beats',
    (delaySeconds) => {
      const lateSeconds = beatsSeconds.map((seconds) => seconds + delaySeconds);
      const swing = measureSwing(makeEnvelope(lateSeconds, 0.6), FRAME_RATE_HZ, beatsSeconds)!;
      expect(Math.abs(swing.ratio - 0.6)).toBeLessThan(0.01);
    },
  );

  it('does not take a sixteenth before the next beat, or an early one, for the off-beat', () => {
    expect(measureSwing(makeEnvelope(beatsSeconds, 0.69), FRAME_RATE_HZ, beatsSeconds)).not.toBeNull();
    expect(measureSwing(makeEnvelope(beatsSeconds, 0.75), FRAME_RATE_HZ, beatsSeconds)).toBeNull();
    expect(measureSwing(makeEnvelope(beatsSeconds, 0.4), FRAME_RATE_HZ, beatsSeconds)).toBeNull();
  });

  it('is null without off-beats, without onsets, and for fewer than 16 beats', () => {
    expect(measureSwing(makeEnvelope(beatsSeconds, null), FRAME_RATE_HZ, beatsSeconds)).toBeNull();
    expect(measureSwing(new Float32Array(2000), FRAME_RATE_HZ, beatsSeconds)).toBeNull();
    expect(
      measureSwing(makeEnvelope(beatsSeconds, 0.6), FRAME_RATE_HZ, beatsSeconds.slice(0, 15)),
    ).toBeNull();
    expect(
      measureSwing(makeEnvelope(beatsSeconds, 0.6), FRAME_RATE_HZ, beatsSeconds.slice(0, 16)),
    ).not.toBeNull();
  });

  it('loses confidence by a factor e for each 0.03 between a half and the whole', () => {
    const halfCount = beatsSeconds.length / 2;
    const both = makeEnvelope(beatsSeconds, 0.6);
    const first = makeEnvelope(beatsSeconds.slice(0, halfCount), 0.56);
    both.set(first.subarray(0, Math.floor(beatsSeconds[halfCount - 1]! * FRAME_RATE_HZ)));
    const confidenceOf = (envelope: Float32Array) =>
      measureSwing(envelope, FRAME_RATE_HZ, beatsSeconds)!.confidence;
    const lostShare = confidenceOf(both) / confidenceOf(makeEnvelope(beatsSeconds, 0.58));
    // The peaks of the halves add up to one between them, a little lower than theirs.
    expect(Math.abs(lostShare - Math.exp(-0.02 / 0.03))).toBeLessThan(0.02);
  });

  it('has a low confidence when the halves of the song disagree', () => {
    const halfCount = beatsSeconds.length / 2;
    const first = makeEnvelope(beatsSeconds.slice(0, halfCount), 0.5);
    const both = makeEnvelope(beatsSeconds, 0.66);
    both.set(first.subarray(0, Math.floor(beatsSeconds[halfCount - 1]! * FRAME_RATE_HZ)));
    // A difference of 0.16 at a scale of 0.03 leaves half a per cent.
    expect(measureSwing(both, FRAME_RATE_HZ, beatsSeconds)!.confidence).toBeLessThan(0.005);
  });
});
