import { describe, expect, it } from 'vitest';
import type { QualityEvent } from '../result.ts';
import { createClickDetector } from './clicks.ts';
import { STRETCH_SAMPLES } from './stretches.ts';

const RATE_HZ = 48_000;
const STRETCH_COUNT = 60;

/** The clicks found when these stretches have these jolts and all others that of `calm`, passed in pieces. */
function findClicks(jolts: Record<number, number>, { calm = 0, pieceStretches = STRETCH_COUNT } = {}) {
  const events: QualityEvent[] = [];
  const detector = createClickDetector(RATE_HZ, 1, pieceStretches, (event) => events.push(event));
  const all = Float32Array.from({ length: STRETCH_COUNT }, (_, at) => jolts[at] ?? calm);
  for (let start = 0; start < STRETCH_COUNT; start += pieceStretches) {
    detector.take(all.subarray(start, start + pieceStretches));
  }
  return events;
}

const placesOf = (events: QualityEvent[]) =>
  events.map(({ startSeconds }) => Math.round((startSeconds * RATE_HZ) / STRETCH_SAMPLES));

describe('a click', () => {
  it('is a jolt amid calm that lasts one stretch; its severity is the height of the jolt, up to 1', () => {
    const startSeconds = (30 * STRETCH_SAMPLES) / RATE_HZ;
    expect(findClicks({ 30: 0.5 })).toEqual([
      {
        kind: 'click',
        startSeconds,
        endSeconds: startSeconds + STRETCH_SAMPLES / RATE_HZ,
        channel: 1,
        severity: 0.5,
      },
    ]);
    expect(findClicks({ 30: 1.5 })[0]!.severity).toBe(1);
  });

  it('across two stretches is reported once: in the higher one, or the earlier of equals', () => {
    expect(placesOf(findClicks({ 30: 0.5, 31: 0.5 }))).toEqual([30]);
    expect(placesOf(findClicks({ 30: 0.4, 31: 0.5 }))).toEqual([31]);
  });

  it.each([
    [0.0201, 1],
    [0.0199, 0],
  ])('has a jolt of 0.02 or more: %f makes %i', (jolt, count) => {
    expect(findClicks({ 30: jolt })).toHaveLength(count);
  });

  it.each([
    [0.5 / 12 - 1e-4, 1],
    [0.5 / 12 + 1e-4, 0],
  ])('is at least twelve times as high as its surroundings: of %f, there are %i', (calm, count) => {
    expect(findClicks({ 30: 0.5 }, { calm })).toHaveLength(count);
  });

  it.each([
    [29, true],
    [28, false],
    [20, false],
    [19, true],
    [40, false],
    [41, true],
  ])(
    'at stretch 30 may leave a tail in the next stretch, and needs calm in the nine after that: %i',
    (place, isFound) => {
      expect(placesOf(findClicks({ 30: 0.5, [place]: 0.1 })).includes(30)).toBe(isFound);
    },
  );

  it.each([1, 7, 25, 30, 31])('is the same in pieces of %i stretches', (pieceStretches) => {
    expect(placesOf(findClicks({ 12: 0.5, 30: 0.5, 48: 0.5 }, { pieceStretches }))).toEqual([12, 30, 48]);
  });
});
