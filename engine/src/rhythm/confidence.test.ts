import { describe, expect, it } from 'vitest';
import type { BeatTime } from './beat-times.ts';
import { hasPulse, rateBeat, rateDownbeat, rateMeter, rateTempo, type TempoEvidence } from './confidence.ts';

const EVIDENCE: TempoEvidence = {
  levelWeight: 0.8,
  meterWeight: 0.8,
  scorePerBeat: 3,
  beatCount: 40,
  durationSeconds: 60,
};
/** Onsets of music with a beat, per second. */
const BUSY_HZ = 3;
const QUIET_HZ = 0.3;
const BEAT: BeatTime = {
  timeSeconds: 1,
  placeInBar: 0,
  beatsPerBar: 4,
  beatActivation: 0.6,
  downbeatActivation: 0.6,
};

/** Zeros of the regressors: even shares, a score of 0, half a minute. */
const ZEROS: TempoEvidence = {
  levelWeight: 0.5,
  meterWeight: 0.5,
  scorePerBeat: 0,
  beatCount: 40,
  durationSeconds: 30,
};
/** A share whose log odds are 1. */
const ONE = Math.E / (1 + Math.E);
const logOdds = (probability: number) => Math.log(probability / (1 - probability));

describe.each(['learned', 'classical'] as const)('confidence, %s', (source) => {
  it('rises with each kind of evidence', () => {
    expect(rateTempo({ ...EVIDENCE, levelWeight: 0.95 }, source)).toBeGreaterThan(
      rateTempo(EVIDENCE, source),
    );
    expect(rateTempo({ ...EVIDENCE, scorePerBeat: 4 }, source)).toBeGreaterThan(rateTempo(EVIDENCE, source));
    expect(rateMeter({ ...EVIDENCE, meterWeight: 0.95 }, source)).toBeGreaterThan(
      rateMeter(EVIDENCE, source),
    );
    expect(rateBeat(BEAT, 0.9, source)).toBeGreaterThan(rateBeat(BEAT, 0.5, source));
    expect(rateBeat({ ...BEAT, beatActivation: 0.9 }, 0.8, source)).toBeGreaterThan(
      rateBeat(BEAT, 0.8, source),
    );
    expect(rateDownbeat({ ...BEAT, downbeatActivation: 0.9 }, 0.8, 60, source)).toBeGreaterThan(
      rateDownbeat(BEAT, 0.8, 60, source),
    );
  });

  it('grows with the length of the music, between half a minute and three minutes', () => {
    const after = (durationSeconds: number) => rateTempo({ ...EVIDENCE, durationSeconds }, source);
    expect(after(120)).toBeGreaterThan(after(30));
    expect(after(10)).toBe(after(30));
    expect(after(600)).toBe(after(180));
  });

  it('is lower for a level with a rival, however clear its beats are', () => {
    const rivalled = rateTempo({ ...EVIDENCE, levelWeight: 0.999, scorePerBeat: 5.6 }, source);
    const alone = rateTempo({ ...EVIDENCE, levelWeight: 0.999_999, scorePerBeat: 5.6 }, source);
    expect((1 - rivalled) / (1 - alone)).toBeGreaterThan(3);
    expect(rateTempo({ ...EVIDENCE, levelWeight: 0.999, scorePerBeat: 3.5 }, source)).toBe(rivalled);
  });

  it('never reaches certainty', () => {
    const certain = rateTempo({ ...EVIDENCE, levelWeight: 1, meterWeight: 1, scorePerBeat: 8 }, source);
    expect(certain).toBeLessThan(1);
    expect(
      rateTempo({ ...EVIDENCE, levelWeight: 0, meterWeight: 0, scorePerBeat: 0 }, source),
    ).toBeGreaterThan(0);
  });

  it('finds no pulse in a track of few or faint beats', () => {
    expect(hasPulse({ ...EVIDENCE, scorePerBeat: 0.2 }, BUSY_HZ, source)).toBe(false);
    expect(hasPulse({ ...EVIDENCE, beatCount: 3 }, BUSY_HZ, source)).toBe(false);
    expect(hasPulse(EVIDENCE, BUSY_HZ, source)).toBe(true);
  });
});

it.each([
  ['learned', { bias: -0.22, level: 0.63, score: 0.26, length: 0.66 }],
  ['classical', { bias: -0.77, level: 0.6, score: 0.51, length: 0.44 }],
] as const)('follows the fitted regression for the tempo: %s', (source, weights) => {
  const rate = (evidence: Partial<TempoEvidence>) => logOdds(rateTempo({ ...ZEROS, ...evidence }, source));
  expect(rate({})).toBeCloseTo(weights.bias, 12);
  expect(rate({ levelWeight: ONE })).toBeCloseTo(weights.bias + weights.level, 12);
  expect(rate({ scorePerBeat: 1 })).toBeCloseTo(weights.bias + weights.score, 12);
  expect(rate({ durationSeconds: 30 * Math.E })).toBeCloseTo(weights.bias + weights.length, 12);
  // A share of a level counts as no more than 1 - 1e-6.
  expect(rate({ levelWeight: 1 })).toBeCloseTo(weights.bias + weights.level * Math.log(1e6 - 1), 9);
});

it.each([
  ['learned', { bias: 0, meter: 0.8, score: 0.38 }],
  ['classical', { bias: -4.22, meter: 2.29, score: 1.08 }],
] as const)('follows the fitted regression for the meter: %s', (source, weights) => {
  const rate = (evidence: Partial<TempoEvidence>) => logOdds(rateMeter({ ...ZEROS, ...evidence }, source));
  expect(rate({})).toBeCloseTo(weights.bias, 12);
  expect(rate({ meterWeight: ONE })).toBeCloseTo(weights.bias + weights.meter, 12);
  expect(rate({ scorePerBeat: 1 })).toBeCloseTo(weights.bias + weights.score, 12);
  // Any other share counts as no more than 0.999.
  expect(rate({ meterWeight: 1 })).toBeCloseTo(weights.bias + weights.meter * Math.log(999), 9);
});

it.each([
  ['learned', { bias: -1.56, tempo: 1.2, activation: 2 }],
  ['classical', { bias: 0.14, tempo: 1.42, activation: 1.42 }],
] as const)('follows the fitted regression for a beat: %s', (source, weights) => {
  const silent = { ...BEAT, beatActivation: 0 };
  expect(logOdds(rateBeat(silent, 0.5, source))).toBeCloseTo(weights.bias, 12);
  expect(logOdds(rateBeat(silent, ONE, source))).toBeCloseTo(weights.bias + weights.tempo, 12);
  const plain = { ...BEAT, beatActivation: 1 };
  expect(logOdds(rateBeat(plain, 0.5, source))).toBeCloseTo(weights.bias + weights.activation, 12);
});

it.each([
  ['learned', { bias: -1.55, meter: 0.26, activation: 1.93, length: 1.26 }],
  ['classical', { bias: -1.9, meter: 0.27, activation: 1.76, length: 1.77 }],
] as const)('follows the fitted regression for a downbeat: %s', (source, weights) => {
  const rate = (downbeatActivation: number, meterConfidence: number, durationSeconds: number) =>
    logOdds(rateDownbeat({ ...BEAT, downbeatActivation }, meterConfidence, durationSeconds, source));
  expect(rate(0, 0.5, 30)).toBeCloseTo(weights.bias, 12);
  expect(rate(0, ONE, 30)).toBeCloseTo(weights.bias + weights.meter, 12);
  expect(rate(1, 0.5, 30)).toBeCloseTo(weights.bias + weights.activation, 12);
  expect(rate(0, 0.5, 30 * Math.E)).toBeCloseTo(weights.bias + weights.length, 12);
});

it.each([
  ['learned', 0.9],
  ['classical', 0.45],
] as const)('needs six beats of a mean score for a pulse: %s', (source, scoreMin) => {
  expect(hasPulse({ ...EVIDENCE, beatCount: 6, scorePerBeat: scoreMin }, 0.5, source)).toBe(true);
  expect(hasPulse({ ...EVIDENCE, beatCount: 5, scorePerBeat: scoreMin }, 0.5, source)).toBe(false);
  expect(hasPulse({ ...EVIDENCE, beatCount: 6, scorePerBeat: scoreMin - 0.01 }, 0.5, source)).toBe(false);
});

it('accepts a pulse with few onsets only if the network is clear about it, and never without the network', () => {
  expect(hasPulse({ ...EVIDENCE, scorePerBeat: 1.5 }, 0.49, 'learned')).toBe(true);
  expect(hasPulse({ ...EVIDENCE, scorePerBeat: 1.49 }, 0.49, 'learned')).toBe(false);
  expect(hasPulse({ ...EVIDENCE, scorePerBeat: 1.8 }, QUIET_HZ, 'learned')).toBe(true);
  expect(hasPulse({ ...EVIDENCE, scorePerBeat: 1.1 }, BUSY_HZ, 'learned')).toBe(true);
  expect(hasPulse({ ...EVIDENCE, scorePerBeat: 1.1 }, QUIET_HZ, 'learned')).toBe(false);
  expect(hasPulse({ ...EVIDENCE, scorePerBeat: 8 }, QUIET_HZ, 'classical')).toBe(false);
});
