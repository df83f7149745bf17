import { describe, expect, it } from 'vitest';
import { beatContinuity } from './beat-continuity.ts';
import { expectedCalibrationError, reliabilityCurve } from './calibration.ts';
import { chordRecall, parseChord } from './chords.ts';
import { countMatches, eventF } from './events.ts';
import { keyScore, parseKey } from './key.ts';
import { rateNeighbours } from './neighbours.ts';
import { scoreSections } from './sections.ts';
import { fillTo, withoutOverlaps } from './spans.ts';
import { tempoAccuracy1, tempoAccuracy2 } from './tempo.ts';
import { areaUnderCurve, toTenths } from './voice.ts';

const metronome = (count: number, periodSeconds: number, startSeconds = 0) =>
  Array.from({ length: count }, (_, index) => startSeconds + index * periodSeconds);

describe('events', () => {
  it('matches each event once, however many estimates crowd around it', () => {
    expect(countMatches([1], [0.98, 1, 1.02], 0.07)).toBe(1);
    expect(countMatches([1, 1.05], [1.02, 1.06], 0.07)).toBe(2);
  });

  it('scores half of the beats, all right, as 2/3', () => {
    const beats = metronome(20, 0.5);
    expect(
      eventF(
        beats,
        beats.filter((_, index) => index % 2 === 0),
        0.07,
      ),
    ).toBeCloseTo(2 / 3, 12);
  });

  it('is 0 without events on either side', () => {
    expect(eventF([], [1], 0.07)).toBe(0);
    expect(eventF([1], [], 0.07)).toBe(0);
  });
});

describe('beat continuity', () => {
  const beats = metronome(40, 0.5);

  it('is 1 for the annotation itself', () => {
    expect(beatContinuity(beats, beats)).toEqual({ cmlc: 1, cmlt: 1, amlc: 1, amlt: 1 });
  });

  it('forgives double tempo and off-beats only at the allowed levels', () => {
    const double = beatContinuity(beats, metronome(79, 0.25));
    expect(double.cmlt).toBeLessThan(0.1);
    expect(double.amlt).toBe(1);
    const offBeat = beatContinuity(beats, metronome(39, 0.5, 0.25));
    expect(offBeat.cmlt).toBe(0);
    expect(offBeat.amlt).toBe(1);
  });

  it('breaks the longest run at a slip in the middle', () => {
    const slipped = beats.map((time, index) => (index === 20 ? time + 0.2 : time));
    const score = beatContinuity(beats, slipped);
    expect(score.cmlc).toBeLessThan(0.55);
    expect(score.cmlt).toBeGreaterThan(0.9);
  });
});

describe('tempo', () => {
  it('holds at exactly 4 % and not beyond', () => {
    expect(tempoAccuracy1(100, 104)).toBe(true);
    expect(tempoAccuracy1(100, 104.1)).toBe(false);
    expect(tempoAccuracy1(100, 200)).toBe(false);
    expect(tempoAccuracy2(100, 200)).toBe(true);
    expect(tempoAccuracy2(90, 30)).toBe(true);
    expect(tempoAccuracy2(100, 150)).toBe(false);
  });
});

describe('key', () => {
  it.each([
    ['C', 'C:maj', 1],
    ['C', 'G', 0.5],
    ['C', 'F', 0],
    ['C', 'A minor', 0.3],
    ['A:min', 'C', 0.3],
    ['C', 'Cm', 0.2],
    ['Bb', 'A# major', 1],
    ['C', 'D', 0],
  ])('scores %s against %s as %d', (truth, guess, score) => {
    expect(keyScore(parseKey(truth)!, parseKey(guess))).toBe(score);
  });

  it('gives nothing for no answer', () => {
    expect(keyScore(parseKey('C')!, null)).toBe(0);
  });

  it.each([
    ['Bb:min', { pitchClass: 10, minor: true }],
    ['F#m', { pitchClass: 6, minor: true }],
    ['c Minor', { pitchClass: 0, minor: true }],
    ['CM', { pitchClass: 0, minor: false }],
    ['C:Maj', { pitchClass: 0, minor: false }],
    ['D mixolydian', null],
    ['D dorian', null],
    ['Am7', null],
    ['Ambiguous', null],
    ['', null],
    [null, null],
  ])('reads %s as %j', (text, key) => {
    expect(parseKey(text)).toEqual(key);
  });
});

describe('chords', () => {
  it('reads the triad under a seventh and an inversion', () => {
    expect(parseChord('A:min7/b3')).toEqual({ kind: 'chord', root: 9, triad: '0,3,7' });
    expect(parseChord('N')).toEqual({ kind: 'none' });
    expect(parseChord('X')).toEqual({ kind: 'unscored' });
  });

  it('weights by time and leaves out what is not to be scored', () => {
    const truth = [
      { start: 0, end: 2, label: 'C' },
      { start: 2, end: 4, label: 'A:min' },
      { start: 4, end: 6, label: 'X' },
      { start: 6, end: 8, label: 'B:dim' },
    ];
    const guess = [
      { start: 0, end: 3, label: 'C:maj' },
      { start: 3, end: 4, label: 'A:maj' },
      { start: 4, end: 8, label: 'B:min' },
    ];
    // Root: 2 s of C, 1 s of A and 2 s of B right out of 6 counted; triads: 2 s right out of 4, dim is not counted.
    expect(chordRecall(truth, guess)).toEqual({ root: 5 / 6, majMin: 0.5 });
    // Nothing to score is no score, not a bad one.
    expect(chordRecall(truth.slice(3), guess)).toEqual({ root: 1, majMin: null });
    expect(chordRecall(truth.slice(2, 3), guess)).toEqual({ root: null, majMin: null });
  });
});

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

  it('tells half a second from three', () => {
    const late = [
      { start: 0, end: 12, label: 'A' },
      { start: 12, end: 22, label: 'B' },
      { start: 22, end: 30, label: 'A' },
    ];
    const score = scoreSections(song, late, 30);
    expect(score.boundaryF05).toBe(0);
    expect(score.boundaryF3).toBe(1);
  });

  it('give a hole in an annotation to neither neighbour', () => {
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

  it('pays one big section with full recall and poor precision', () => {
    const score = scoreSections(song, [{ start: 0, end: 30, label: 'A' }], 30);
    expect(score.boundaryF05).toBe(0);
    // 300 frames: 44,850 pairs claimed, 19,900 + 4,950 of them true: precision .554, recall 1.
    expect(score.pairwiseF).toBeCloseTo((2 * 0.55407) / 1.55407, 3);
  });
});

describe('calibration', () => {
  const claimed = (confidence: number, right: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ confidence, right: index < right }));

  it('is the gap between what was claimed and what was right', () => {
    expect(expectedCalibrationError(claimed(0.8, 8, 10))).toBeCloseTo(0, 12);
    expect(expectedCalibrationError(claimed(0.95, 5, 10))).toBeCloseTo(0.45, 12);
    expect(expectedCalibrationError([...claimed(0.25, 5, 10), ...claimed(0.95, 9, 10)])).toBeCloseTo(
      0.15,
      12,
    );
  });

  it('joins a bin of less than five answers to the next one up, where opposite errors cancel', () => {
    const answers = [...claimed(0.05, 0, 3), ...claimed(0.15, 2, 3)];
    const [bin, ...others] = reliabilityCurve(answers);
    expect(others).toEqual([]);
    expect(bin!.count).toBe(6);
    expect(bin!.meanConfidence).toBeCloseTo(0.1, 12);
    expect(bin!.accuracy).toBeCloseTo(1 / 3, 12);
    expect(expectedCalibrationError(answers)).toBeCloseTo(1 / 3 - 0.1, 12);
  });

  it('joins what is left at the top to the bin below', () => {
    expect(
      reliabilityCurve([...claimed(0.5, 3, 6), ...claimed(0.95, 1, 1)]).map(({ count }) => count),
    ).toEqual([7]);
  });

  it('has no error where there are no answers', () => {
    expect(reliabilityCurve([])).toEqual([]);
    expect(expectedCalibrationError([])).toBeNull();
  });
});

describe('spans', () => {
  const span = (start: number, end: number, label: string) => ({ start, end, label });

  it('overlap no more: each begins where the one before it ends, and leftovers of rounding go', () => {
    const given = [span(2, 4, 'b'), span(0, 3, 'a'), span(3.9, 4.00005, 'c')];
    expect(withoutOverlaps(given)).toEqual([span(0, 3, 'a'), span(3, 4, 'b')]);
  });

  it('are cut, and filled before, between and behind', () => {
    const given = [span(-1, 1, 'a'), span(2, 3, 'b'), span(9, 10, 'c')];
    expect(fillTo(given, 0, 5, 'N')).toEqual([
      span(0, 1, 'a'),
      span(1, 2, 'N'),
      span(2, 3, 'b'),
      span(3, 5, 'N'),
    ]);
    expect(fillTo([span(1, 2, 'a')], 0, 2, 'N')).toEqual([span(0, 1, 'N'), span(1, 2, 'a')]);
  });
});

describe('voice', () => {
  it('is in a tenth whose middle lies in a span', () => {
    const spans = [
      [0.04, 0.16],
      [0.25, 0.35],
    ] as const;
    expect(toTenths(spans, 5)).toEqual([true, true, true, false, false]);
  });

  it('is told by the share of pairs in the right order, a tie being half of one', () => {
    const truth = [true, true, false, false];
    expect(areaUnderCurve([0.9, 0.8, 0.2, 0.1], truth)).toBe(1);
    // Of four pairs two are right, one is a tie, one is wrong.
    expect(areaUnderCurve([0.9, 0.3, 0.3, 0.5], truth)).toBe(2.5 / 4);
    expect(areaUnderCurve([0.4, 0.4, 0.4, 0.4], truth)).toBe(0.5);
    expect(areaUnderCurve([0.4, 0.4], [true, true])).toBeNull();
  });
});

describe('neighbours', () => {
  it('counts those whose nearest other one has the same label, be it opposite to them', () => {
    const items = [
      { label: 'a', vector: [1, 0] },
      { label: 'a', vector: [0.8, 0.6] },
      { label: 'b', vector: [0.6, 0.8] },
    ];
    expect(rateNeighbours(items)).toEqual({ count: 3, alike: 1 / 3 });
    const opposite = [items[0]!, { label: 'a', vector: [-1, 0] }];
    expect(rateNeighbours(opposite)).toEqual({ count: 2, alike: 1 });
    expect(rateNeighbours(items.slice(1, 2))).toBeNull();
  });
});
