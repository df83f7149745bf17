import { describe, expect, it } from 'vitest';
import type { QualityEvent } from '../result.ts';
import { createDropoutDetector } from './dropouts.ts';

/** 1024 stretches a second, so that every time is exact; two milliseconds are a little more than two stretches. */
const RATE_HZ = 32_768;
const STRETCHES_PER_SECOND = 1024;

/** `count` stretches with the same peak. */
const stretches = (count: number, peak: number): number[] => Array.from({ length: count }, () => peak);

function listen(peaks: number[], pieceStretches = peaks.length): QualityEvent[] {
  const events: QualityEvent[] = [];
  const detector = createDropoutDetector(RATE_HZ, 1, (event) => events.push(event));
  for (let at = 0; at < peaks.length; at += pieceStretches) {
    detector.take(Float32Array.from(peaks.slice(at, at + pieceStretches)));
  }
  return events;
}

describe('a dropout', () => {
  const withHole = [...stretches(64, 0.25), ...stretches(32, 0), ...stretches(64, 0.5)];

  it('is a hole in continuous sound; its severity is the peak of its softer side', () => {
    const [startSeconds, endSeconds] = [64 / STRETCHES_PER_SECOND, 96 / STRETCHES_PER_SECOND];
    const hole = { kind: 'dropout', startSeconds, endSeconds, channel: 1, severity: 0.25 };
    expect(listen(withHole)).toEqual([hole]);
    expect(listen(withHole.toReversed())).toEqual([hole]);
  });

  it.each([1, 7, 64, 65, 96])('is the same in pieces of %i stretches', (pieceStretches) => {
    expect(listen(withHole, pieceStretches)).toEqual(listen(withHole));
  });

  const severitiesOf = (peaks: number[]) => listen(peaks).map(({ severity }) => severity);

  it('has a severity of at most 1, beyond full scale too', () => {
    expect(severitiesOf([1, 1, ...stretches(8, 0), 1, 1])).toEqual([1]);
    expect(severitiesOf([2, 2, ...stretches(8, 0), 1.5, 1.5])).toEqual([1]);
    expect(severitiesOf([2, 2, ...stretches(8, 0), 0.5, 0.5])).toEqual([0.5]);
  });

  it('is measured by the louder of the two stretches on each side', () => {
    expect(severitiesOf([0.25, 0.125, ...stretches(8, 0), 0.125, 0.5])).toEqual([0.25]);
    expect(severitiesOf([0.125, 0.5, ...stretches(8, 0), 0.25, 0.125])).toEqual([0.25]);
  });

  it('is measured by its own sides, however near another dropout is', () => {
    const peaks = [0.25, 0.25, ...stretches(8, 0), 0.5, ...stretches(8, 0), 0.75, 0.75];
    expect(severitiesOf(peaks)).toEqual([0.25, 0.5]);
  });

  it.each([
    [2, 0],
    [3, 1],
    [512, 1],
    [513, 0],
  ])('lasts two milliseconds to half a second: %i stretches make %i', (count, foundCount) => {
    expect(listen([0.5, 0.5, ...stretches(count, 0), 0.5, 0.5])).toHaveLength(foundCount);
  });

  it.each([
    ['before it', [0.009, 0.009], [0.5, 0.5]],
    ['after it', [0.5, 0.5], [0.009, 0.009]],
  ])('needs sound of -40 dBFS right %s', (_, before, after) => {
    const listenAt = (gain: number) =>
      listen([...before, ...stretches(8, 0), ...after].map((peak) => peak * gain));
    expect(listenAt(1)).toEqual([]);
    expect(listenAt(0.0101 / 0.009)).toHaveLength(1);
  });

  it('needs that sound within two stretches', () => {
    expect(listen([0.5, 0.005, ...stretches(8, 0), 0.005, 0.5])).toHaveLength(1);
    expect(listen([0.5, 0.005, 0.005, ...stretches(8, 0), 0.5, 0.5])).toEqual([]);
  });

  it('may hold dither, but nothing louder', () => {
    const holeOf = (peak: number) => [0.5, 0.5, ...stretches(8, peak), 0.5, 0.5];
    expect(listen(holeOf(2 / 32_768))).toHaveLength(1);
    expect(listen(holeOf(3 / 32_768))).toEqual([]);
  });

  it('is not found at either end of the recording', () => {
    expect(listen([...stretches(8, 0), 0.5, 0.5, ...stretches(8, 0)])).toEqual([]);
  });
});
