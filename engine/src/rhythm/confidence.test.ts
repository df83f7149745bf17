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

  it('is lower for a level with a rival, however plain its beats are', () => {
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

it.each(['learned', 'classical'] as const)('follows the fitted regression for the tempo: %s', (source) => {
  // Even shares, a score of 0 and half a minute are zeros of the regression and leave its constant.
  const even = { ...EVIDENCE, levelWeight: 0.5, meterWeight: 0.5, scorePerBeat: 0, durationSeconds: 30 };
  const logOdds = (probability: number) => Math.log(probability / (1 - probability));
  const tempo = { learned: -0.22, classical: -0.77 }[source];
  expect(logOdds(rateTempo(even, source))).toBeCloseTo(tempo, 12);
  // Shares of e to 1, and a score of 1, each add one weight.
  const levelWeight = Math.E / (1 + Math.E);
  const [perLogOdds, perScore] = { learned: [0.63, 0.26], classical: [0.6, 0.51] }[source] as [
    number,
    number,
  ];
  expect(logOdds(rateTempo({ ...even, levelWeight }, source)) - tempo).toBeCloseTo(perLogOdds, 12);
  expect(logOdds(rateTempo({ ...even, scorePerBeat: 1 }, source)) - tempo).toBeCloseTo(perScore, 12);
});

it('believes a pulse with few onsets only if the network hears it plainly, and never without the network', () => {
  expect(hasPulse({ ...EVIDENCE, scorePerBeat: 1.8 }, QUIET_HZ, 'learned')).toBe(true);
  expect(hasPulse({ ...EVIDENCE, scorePerBeat: 1.1 }, BUSY_HZ, 'learned')).toBe(true);
  expect(hasPulse({ ...EVIDENCE, scorePerBeat: 1.1 }, QUIET_HZ, 'learned')).toBe(false);
  expect(hasPulse({ ...EVIDENCE, scorePerBeat: 8 }, QUIET_HZ, 'classical')).toBe(false);
});
