import { describe, expect, it } from 'vitest';
import { measureSwing } from './swing.ts';

const FRAME_RATE_HZ = 50;

/** An onset envelope with a bump on every beat and, unless `ratio` is null, a lower one at that share of the way to the next. */
function makeEnvelope(beats: readonly number[], ratio: number | null): Float32Array {
  const envelope = new Float32Array(Math.ceil((beats.at(-1)! + 1) * FRAME_RATE_HZ)).fill(0.01);
  const strike = (timeSeconds: number, height: number): void => {
    const centre = timeSeconds * FRAME_RATE_HZ;
    for (let frame = Math.ceil(centre - 2); frame <= centre + 2; frame++) {
      envelope[frame] = Math.max(envelope[frame] ?? 0, height * (1 - ((frame - centre) / 2.5) ** 2));
    }
  };
  beats.forEach((beat, index) => {
    strike(beat, 1);
    const next = beats[index + 1];
    if (ratio !== null && next !== undefined) strike(beat + ratio * (next - beat), 0.5);
  });
  return envelope;
}

const beats = Array.from({ length: 64 }, (_, n) => 0.3 + (n * 60) / 117);

describe('measureSwing', () => {
  it.each([0.5, 0.55, 0.6, 0.667])('measures off-beats at %f of the beat', (ratio) => {
    const swing = measureSwing(makeEnvelope(beats, ratio), FRAME_RATE_HZ, beats)!;
    // A frame is 4 % of a beat here, and 64 beats that fall anywhere between frames give the mean to a quarter of that.
    expect(Math.abs(swing.ratio - ratio)).toBeLessThan(0.01);
    expect(swing.confidence).toBeGreaterThan(0.5);
  });

  it('measures from the peak of the envelope when the beats lie a little beside it', () => {
    const late = beats.map((beat) => beat + 0.015);
    const swing = measureSwing(makeEnvelope(late, 0.6), FRAME_RATE_HZ, beats)!;
    expect(Math.abs(swing.ratio - 0.6)).toBeLessThan(0.01);
  });

  it('is null without off-beats, without onsets, and for few beats', () => {
    expect(measureSwing(makeEnvelope(beats, null), FRAME_RATE_HZ, beats)).toBeNull();
    expect(measureSwing(new Float32Array(2000), FRAME_RATE_HZ, beats)).toBeNull();
    expect(measureSwing(makeEnvelope(beats, 0.6), FRAME_RATE_HZ, beats.slice(0, 8))).toBeNull();
  });

  it('is unsure when the halves of the song disagree', () => {
    const half = beats.length / 2;
    const first = makeEnvelope(beats.slice(0, half), 0.5);
    const both = makeEnvelope(beats, 0.66);
    both.set(first.subarray(0, Math.floor(beats[half - 1]! * FRAME_RATE_HZ)));
    expect(measureSwing(both, FRAME_RATE_HZ, beats)?.confidence ?? 0).toBeLessThan(0.1);
  });
});
