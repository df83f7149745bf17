import { describe, expect, it } from 'vitest';
import type { BeatTime } from './beat-times.ts';
import { hasPulse, rateBeat, rateDownbeat, rateMeter, rateTempo, type TempoEvidence } from './confidence.ts';

const EVIDENCE: TempoEvidence = { levelWeight: 0.8, meterWeight: 0.8, scorePerBeat: 3, beatCount: 40 };
const BEAT: BeatTime = {
  timeSeconds: 1,
  placeInBar: 0,
  beatsPerBar: 4,
  beatActivation: 0.6,
  downbeatActivation: 0.6,
};

describe.each(['learned', 'classical'] as const)('confidence, %s', (source) => {
  it('rises with everything that speaks for the answer', () => {
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
    expect(rateDownbeat({ ...BEAT, downbeatActivation: 0.9 }, 0.8, source)).toBeGreaterThan(
      rateDownbeat(BEAT, 0.8, source),
    );
  });

  it('tells a level that another one rivals from one without a rival, however plain the beats', () => {
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

  it('finds no pulse in a path that chance could have found', () => {
    expect(hasPulse({ ...EVIDENCE, scorePerBeat: 0.2 }, source)).toBe(false);
    expect(hasPulse({ ...EVIDENCE, beatCount: 3 }, source)).toBe(false);
    expect(hasPulse(EVIDENCE, source)).toBe(true);
  });
});
