import { describe, expect, it } from 'vitest';
import type { QualityEvent } from '../result.ts';
import { createSilenceDetector } from './silence.ts';

/** 64 stretches a second, so that every time is exact. */
const RATE_HZ = 2048;
const STRETCHES_PER_SECOND = 64;
const SOUND = new Float32Array(STRETCHES_PER_SECOND).fill(0.5);
const rest = (seconds: number, peak = 0) => new Float32Array(seconds * STRETCHES_PER_SECOND).fill(peak);

/** The silences found in these stretches, taken one array after another. */
function listen(...takes: Float32Array[]): QualityEvent[] {
  const events: QualityEvent[] = [];
  const detector = createSilenceDetector(RATE_HZ, (event) => events.push(event));
  for (const peaks of takes) detector.take(peaks);
  const stretchCount = takes.reduce((sum, { length }) => sum + length, 0);
  detector.finish(stretchCount / STRETCHES_PER_SECOND);
  return events;
}

describe('silence', () => {
  it('is a rest of half a second or more', () => {
    expect(listen(SOUND, rest(0.5).subarray(1), SOUND)).toEqual([]);
    expect(listen(SOUND, rest(0.5), SOUND)).toEqual([
      { kind: 'silence', startSeconds: 1, endSeconds: 1.5, channel: null, severity: 0.05 },
    ]);
  });

  it.each([
    [48_000, 750],
    [96_000, 1_500],
  ])('is found at half a second wherever it starts, at %d Hz', (sampleRateHz, stretchCount) => {
    for (let countBefore = 0; countBefore < 100; countBefore++) {
      const events: QualityEvent[] = [];
      const detector = createSilenceDetector(sampleRateHz, (event) => events.push(event));
      detector.take(new Float32Array(countBefore).fill(0.5));
      detector.take(new Float32Array(stretchCount));
      detector.take(Float32Array.of(0.5));
      expect([countBefore, events.length]).toEqual([countBefore, 1]);
    }
  });

  it('has as severity its share of ten seconds, up to 1', () => {
    const severityOf = (seconds: number) => listen(SOUND, rest(seconds), SOUND)[0]!.severity;
    expect(severityOf(5)).toBe(0.5);
    expect(severityOf(20)).toBe(1);
  });

  it('may have peaks of -60 dBFS, but no higher ones', () => {
    expect(listen(SOUND, rest(1, 0.001), SOUND)).toHaveLength(1);
    expect(listen(SOUND, rest(1, 0.00101), SOUND)).toEqual([]);
  });

  it('is one event across several blocks', () => {
    const [event, ...others] = listen(SOUND, rest(0.25), rest(0.25), SOUND);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ startSeconds: 1, endSeconds: 1.5 });
  });

  it('reaches to the ends of the recording', () => {
    expect(listen(rest(1), SOUND, rest(2))).toMatchObject([
      { startSeconds: 0, endSeconds: 1 },
      { startSeconds: 2, endSeconds: 4 },
    ]);
    expect(listen()).toEqual([]);
  });
});
