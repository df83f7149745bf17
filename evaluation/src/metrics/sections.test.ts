import { describe, expect, it } from 'vitest';
import { scoreSections } from './sections.ts';

describe('sections', () => {
  const song = [
    { start: 0, end: 10, label: 'A' },
    { start: 10, end: 20, label: 'B' },
    { start: 20, end: 30, label: 'A' },
  ];

  it('is 1 for the annotation under other letters', () => {
    const renamed = song.map((span) => ({ ...span, label: span.label === 'A' ? 'x' : 'y' }));
    expect(scoreSections(song, renamed, 30)).toEqual({ boundaryF05: 1, boundaryF3: 1, pairwiseF: 1 });
  });

  it('forgives boundaries two seconds late within 3 s, and not within 0.5 s', () => {
    const late = [
      { start: 0, end: 12, label: 'A' },
      { start: 12, end: 22, label: 'B' },
      { start: 22, end: 30, label: 'A' },
    ];
    const score = scoreSections(song, late, 30);
    expect(score.boundaryF05).toBe(0);
    expect(score.boundaryF3).toBe(1);
  });

  it.each([
    [0.5, 1, 1],
    [0.51, 0, 1],
    [3, 0, 1],
    [3.01, 0, 0],
  ])('finds a boundary %f s late with %i within 0.5 s and %i within 3 s', (lateSeconds, strict, lenient) => {
    const split = (seconds: number) => [
      { start: 0, end: seconds, label: 'A' },
      { start: seconds, end: 30, label: 'B' },
    ];
    const { boundaryF05, boundaryF3 } = scoreSections(split(10), split(10 + lateSeconds), 30);
    expect([boundaryF05, boundaryF3]).toEqual([strict, lenient]);
  });

  it('assigns a gap in the annotation to neither neighbour', () => {
    const holed = [
      { start: 0, end: 10, label: 'A' },
      { start: 20, end: 30, label: 'B' },
    ];
    const whole = [
      { start: 0, end: 10, label: 'A' },
      { start: 10, end: 30, label: 'B' },
    ];
    // Pairs of 300 frames: 3 × 4,950 in the truth, 4,950 + 19,900 in the answer, 3 × 4,950 in both: precision .5976, recall 1.
    expect(scoreSections(holed, whole, 30).pairwiseF).toBeCloseTo(0.7481, 4);
    expect(scoreSections(holed, holed, 30).pairwiseF).toBe(1);
  });

  it('gives no boundary score to a song of one section, as mir_eval does', () => {
    const whole = [{ start: 0, end: 30, label: 'A' }];
    expect(scoreSections(whole, whole, 30)).toEqual({ boundaryF05: 0, boundaryF3: 0, pairwiseF: 1 });
  });

  it('gives a single long section full recall and poor precision', () => {
    const score = scoreSections(song, [{ start: 0, end: 30, label: 'A' }], 30);
    expect(score.boundaryF05).toBe(0);
    // Pairs of 300 frames: 44,850 in the answer, 19,900 + 4,950 in the truth: precision .5541, recall 1.
    expect(score.pairwiseF).toBeCloseTo(0.7131, 4);
  });
});
