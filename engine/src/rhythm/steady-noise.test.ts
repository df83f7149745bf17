import { describe, expect, it } from 'vitest';
import { findSteadyNoise } from './steady-noise.ts';

const FRAMES_PER_SECOND = 50;
const BANDS = 4;
const toAmplitude = (levelDb: number) => 10 ** (levelDb / 20);

/** `seconds` of bands at these levels; every other frame is `rippleDb` louder. */
type Stretch = { seconds: number; bandsDb: readonly number[]; rippleDb?: number };
const MUSIC: Stretch = { seconds: 100, bandsDb: [0, 0, 0, 0], rippleDb: 10 };
const even = (levelDb: number) => Array<number>(BANDS).fill(levelDb);

function find(...stretches: Stretch[]): number[][] {
  const rows = stretches.flatMap(({ seconds, bandsDb, rippleDb = 0 }) =>
    Array.from({ length: seconds * FRAMES_PER_SECOND }, (_, frame) =>
      bandsDb.map((levelDb) => toAmplitude(levelDb + (frame % 2 === 0 ? 0 : rippleDb))),
    ),
  );
  const mel = {
    frameRateHz: FRAMES_PER_SECOND,
    binCount: BANDS,
    frameCount: rows.length,
    data: Float32Array.from(rows.flat()),
  };
  return findSteadyNoise(mel).map((span) => [
    span.startFrame / FRAMES_PER_SECOND,
    span.endFrame / FRAMES_PER_SECOND,
  ]);
}

describe('findSteadyNoise', () => {
  it('finds ten seconds of the same soft spectrum, and not nine', () => {
    const hiss = (seconds: number): Stretch => ({ seconds, bandsDb: even(-40) });
    expect(find(hiss(12), MUSIC, hiss(10))).toEqual([
      [0, 12],
      [112, 122],
    ]);
    expect(find(hiss(9), MUSIC)).toEqual([]);
  });

  it('includes the last part of a second at the end', () => {
    expect(find(MUSIC, { seconds: 12.5, bandsDb: even(-40) })).toEqual([[100, 112.5]]);
  });

  it('must be 20 dB softer than the recording', () => {
    // The music is 10 dB louder in every other frame: 11/2 in power, 7.4 dB. A tenth of the time at next to no power lowers that by 0.4 dB.
    expect(find(MUSIC, { seconds: 10, bandsDb: even(7.4 - 0.4 - 20 - 0.3) })).toEqual([[100, 110]]);
    expect(find(MUSIC, { seconds: 10, bandsDb: even(7.4 - 0.4 - 20 + 0.3) })).toEqual([]);
  });

  it('must not vary by more than 6 dB from frame to frame', () => {
    expect(find(MUSIC, { seconds: 10, bandsDb: even(-40), rippleDb: 5.9 })).toEqual([[100, 110]]);
    expect(find(MUSIC, { seconds: 10, bandsDb: even(-40), rippleDb: 6.1 })).toEqual([]);
  });

  it('ends where the spectrum differs by more than a decibel per band, and starts again there', () => {
    const before: Stretch = { seconds: 10, bandsDb: even(-40) };
    const within: Stretch = { seconds: 10, bandsDb: [-40, -40, -40, -43.9] };
    const beyond: Stretch = { seconds: 10, bandsDb: [-40, -40, -40, -44.1] };
    expect(find(MUSIC, before, within)).toEqual([[100, 120]]);
    expect(find(MUSIC, before, beyond)).toEqual([
      [100, 110],
      [110, 120],
    ]);
  });

  it('is nothing in silence, and in a recording shorter than a second', () => {
    expect(find({ seconds: 20, bandsDb: even(Number.NEGATIVE_INFINITY) })).toEqual([]);
    expect(find({ seconds: 0.5, bandsDb: even(0) })).toEqual([]);
  });
});
