import { describe, expect, it } from 'vitest';
import { chooseTempo } from './tempo-choice.ts';
import type { TempoLevel } from './tempo-levels.ts';

/** A level whose track scores `perSecond` in 4/4 and half as much in 3/4, over 100 s. */
function makeLevel(bpm: number, perSecond: number): TempoLevel {
  const score = 100 * perSecond;
  return {
    bpm,
    bpmMin: bpm / 1.2,
    bpmMax: bpm * 1.2,
    track: { beats: [], score, meterScores: [score / 2, score] },
  };
}

const choose = (...levels: TempoLevel[]) => chooseTempo(levels, [3, 4], 100, 'learned');

describe('chooseTempo', () => {
  it('takes the faster of two levels when its extra beats are heard as well as the others', () => {
    expect(choose(makeLevel(60, 4), makeLevel(120, 8))!.level.bpm).toBe(120);
  });

  it('takes the slower when the extra beats bring little', () => {
    expect(choose(makeLevel(70, 6), makeLevel(140, 6.5))!.level.bpm).toBe(70);
  });

  it('prefers common tempi when the evidence is equal', () => {
    const perBeat = 2.2 / 60;
    expect(
      choose(makeLevel(42, 42 * perBeat), makeLevel(105, 105 * perBeat), makeLevel(250, 250 * perBeat))!.level
        .bpm,
    ).toBe(105);
  });

  it('takes a tempo beyond the metronome only when every one of its beats is plain', () => {
    const bothAt = (perBeat: number) => [
      makeLevel(115, (115 / 60) * perBeat),
      makeLevel(230, (230 / 60) * perBeat),
    ];
    expect(choose(...bothAt(2.7))!.level.bpm).toBe(115);
    expect(choose(...bothAt(3.5))!.level.bpm).toBe(230);
  });

  it('weighs all levels, the heaviest first, to a sum of one', () => {
    const { alternatives, level } = choose(makeLevel(90, 5), makeLevel(45, 2), makeLevel(180, 7))!;
    expect(alternatives.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
    expect(alternatives[0]!.bpm).toBe(level.bpm);
    expect(alternatives.map(({ weight }) => weight)).toEqual(
      alternatives.map(({ weight }) => weight).sort((a, b) => b - a),
    );
  });

  it('leaves the double tempo a tenth where its odds were one in a thousand', () => {
    // Utilities that differ by ln 1000: 4.2 × (evidence − 2.2 beats a second) less the distance from the common tempo.
    const slow = makeLevel(70, 5);
    const cost = (bpm: number) => (2.2 * bpm) / 60 + Math.log(bpm / 100) ** 2 / 4.2;
    const double = makeLevel(140, 5 - cost(70) + cost(140) - Math.log(1000) / 4.2);
    const { alternatives, levelWeight } = choose(slow, double)!;
    expect(levelWeight).toBeCloseTo(0.999, 4);
    expect(alternatives.map(({ bpm }) => bpm)).toEqual([70, 140]);
    expect(alternatives[1]!.weight).toBeCloseTo(0.093, 2);
  });

  it('takes the meter with the evidence', () => {
    const choice = choose(makeLevel(100, 6))!;
    expect(choice).toMatchObject({ beatsPerBar: 4 });
    expect(choice.meterWeight).toBeGreaterThan(0.99);
  });

  it('has no choice among no levels', () => {
    expect(choose()).toBeNull();
  });
});
