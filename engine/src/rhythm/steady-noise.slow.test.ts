import { describe, expect, it } from 'vitest';
import { loadModels } from '../../models/load-models.ts';
import { analyseSpectra } from '../signal/test-spectra.ts';
import { makeRandom } from '../test-random.ts';
import { analyseRhythm } from './analyse-rhythm.ts';
import { findSteadyNoise } from './steady-noise.ts';
import { makeBeats, makeDrumLoop } from './test-rhythms.ts';

const RATE_HZ = 22_050;
const OPTIONS = { model: loadModels().beats, chords: null, style: null };

const random = makeRandom(9);
/** Noise of this RMS level; with a `softness` near 1 most of its power is in the bass. */
function makeHiss(seconds: number, levelDb: number, softness = 0): Float32Array {
  const gain = 10 ** (levelDb / 20) * Math.sqrt(3);
  let last = 0;
  return Float32Array.from({ length: seconds * RATE_HZ }, () => {
    last = softness * last + (1 - softness) * (2 * random() - 1);
    return gain * Math.sqrt((1 + softness) / (1 - softness)) * last;
  });
}

const join = (...parts: Float32Array[]): Float32Array =>
  Float32Array.from(parts.flatMap((part) => [...part]));
const music = makeDrumLoop(makeBeats({ bpm: 120, beatsPerBar: 4, endSeconds: 23.8 }), 24);

describe.each([-70, -60, -50])('hiss at %i dBFS', (levelDb) => {
  it.each([
    ['white', 0],
    ['dark', 0.9],
  ])('that is %s has no beats before and after music', (_, softness) => {
    const alone = analyseRhythm({ ...analyseSpectra(music), ...OPTIONS }).rhythm;
    const signal = join(makeHiss(60, levelDb, softness), music, makeHiss(60, levelDb, softness));
    const { rhythm } = analyseRhythm({ ...analyseSpectra(signal), ...OPTIONS });
    // The second at either end of the music also contains hiss.
    const outside = rhythm.beats.filter(({ timeSeconds }) => timeSeconds < 58.9 || timeSeconds > 85.1);
    expect(outside).toEqual([]);
    expect(rhythm.bpm! / alone.bpm!).toBeCloseTo(1, 3);
    // A pulse of the hiss's own would take far more.
    expect(rhythm.stability!).toBeGreaterThan(alone.stability! - 0.05);
  });
});

describe('findSteadyNoise', () => {
  const find = (...parts: Float32Array[]) =>
    findSteadyNoise(analyseSpectra(join(...parts)).mel).map(({ startFrame, endFrame }) => [
      startFrame / 50,
      endFrame / 50,
    ]);
  const tones = (seconds: number, changeSeconds: number): Float32Array =>
    Float32Array.from({ length: seconds * RATE_HZ }, (_, n) => {
      const noteHz = Math.floor(n / RATE_HZ / changeSeconds) % 2 === 0 ? 220 : 330;
      return 0.003 * Math.sin((2 * Math.PI * noteHz * n) / RATE_HZ);
    });

  it('finds stretches of at least ten seconds before and after music', () => {
    expect(find(makeHiss(12, -60), music, makeHiss(8, -60))).toEqual([[0, 12]]);
  });

  it('finds none in music, in soft notes, or in a recording of noise alone', () => {
    expect(find(music)).toEqual([]);
    expect(find(music, tones(30, 2))).toEqual([]);
    expect(find(makeHiss(30, -60))).toEqual([]);
  });
});
