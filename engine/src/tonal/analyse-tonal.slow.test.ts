import { describe, expect, it } from 'vitest';
import { makeNoise } from '../signal/test-signals.ts';
import { analyseSpectra } from '../signal/test-spectra.ts';
import { analyseTonal, type TonalInput } from './analyse-tonal.ts';
import { hearHarmony } from './hear-harmony.ts';
import { pitchNameOf, scaleOf, spellPitchClass, tonicOf } from './key-name.ts';
import {
  MAJOR,
  makeBeats,
  makeCadence,
  makeChord,
  RATE_HZ,
  renderChords,
  type TestChord,
} from './test-progressions.ts';

const CENTS = [-40, -20, 0, 20, 40];

function prepare(signal: Float32Array, overrides: Partial<TonalInput> = {}): TonalInput {
  const { pitch, rms, durationSeconds } = analyseSpectra(signal);
  const harmony = hearHarmony({ pitch, rms, model: null });
  return {
    pitch,
    rms,
    durationSeconds,
    beats: makeBeats(durationSeconds),
    harmony,
    style: null,
    ...overrides,
  };
}
const analyseChords = (chords: readonly TestChord[], cents = 0, overrides: Partial<TonalInput> = {}) =>
  analyseTonal(prepare(renderChords(chords, cents), overrides));

describe('a cadence', () => {
  it.each(
    Array.from({ length: 24 }, (_, key) => [`${pitchNameOf(tonicOf(key))} ${scaleOf(key)}`, key] as const),
  )('in %s names its key and chords', (_name, key) => {
    const cents = CENTS[key % CENTS.length]!;
    const { tonal, reason } = analyseChords([...makeCadence(key), ...makeCadence(key)], cents);
    expect(reason).toBeNull();
    expect([tonal.key, tonal.scale]).toEqual([pitchNameOf(tonicOf(key)), scaleOf(key)]);
    // As in tuning.test.ts: overlapping partials shift single peaks, but the mean stays within three cents.
    expect(Math.abs(tonal.tuningCents! - cents)).toBeLessThan(3);
    const spell = (step: number): string => spellPitchClass((tonicOf(key) + step) % 12, key);
    const expected =
      key < 12
        ? [
            [0, 'maj', 'I'],
            [9, 'min', 'vi'],
            [5, 'maj', 'IV'],
            [7, 'maj', 'V'],
          ]
        : [
            [0, 'min', 'i'],
            [8, 'maj', 'VI'],
            [5, 'min', 'iv'],
            [7, 'maj', 'V'],
          ];
    expect(tonal.chords.slice(0, 4).map(({ label, roman }) => [label, roman])).toEqual(
      expected.map(([step, quality, roman]) => [`${spell(step as number)}:${quality}`, roman]),
    );
  });

  it.each(CENTS)('has the same chords when played %i cents off', (cents) => {
    const { tonal } = analyseChords(makeCadence(7), cents);
    expect(tonal.chords.map(({ label }) => label)).toEqual(['G:maj', 'E:min', 'C:maj', 'D:maj', 'G:maj']);
  });

  it('has the bar and beat of each chord', () => {
    const { tonal } = analyseChords(makeCadence(0));
    // A beat lasts half a second and a chord two seconds, which is a bar.
    expect(tonal.chords.map(({ bar, beat }) => [bar, beat])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
    ]);
    expect(tonal.chords.map(({ startSeconds }) => startSeconds)).toEqual([0, 2, 4, 6, 8]);
  });

  it('has chords without bar and beat if there are no beats', () => {
    const { tonal } = analyseChords(makeCadence(0), 0, { beats: [] });
    expect(tonal.chords.map(({ label, bar, beat }) => [label, bar, beat])).toEqual(
      ['C:maj', 'A:min', 'F:maj', 'G:maj', 'C:maj'].map((label) => [label, null, null]),
    );
  });

  it('lists sevenths separately, over the same spans', () => {
    const chords = [makeChord(2, [0, 3, 7, 10]), makeChord(7, [0, 4, 7, 10]), makeChord(0, [0, 4, 7, 11])];
    const { tonal } = analyseChords([...chords, ...chords]);
    expect(tonal.chords.slice(0, 3).map(({ label }) => label)).toEqual(['D:min', 'G:maj', 'C:maj']);
    expect(tonal.chordsSevenths.slice(0, 3).map(({ label }) => label)).toEqual(['D:min7', 'G:7', 'C:maj7']);
    expect(tonal.chordsSevenths.slice(0, 3).map(({ roman }) => roman)).toEqual(['ii7', 'V7', 'Imaj7']);
    expect(tonal.chordsSevenths.map(({ startSeconds }) => startSeconds)).toEqual(
      tonal.chords.map(({ startSeconds }) => startSeconds),
    );
  });

  it('is in the hinted key', () => {
    const { tonal } = analyseChords(makeCadence(0), 0, { hints: { key: 'A minor' } });
    expect([tonal.key, tonal.scale]).toEqual(['A', 'minor']);
    expect(tonal.chords.map(({ roman }) => roman)).toEqual(['III', 'i', 'VI', 'VII', 'III']);
    // The chords are those of C major, so the evidence favours another key than the hinted one.
    expect(tonal.confidence).toBeLessThan(0.5);
  });

  it('has the same result twice, in finite numbers', () => {
    const input = prepare(renderChords(makeCadence(13), 15));
    const first = JSON.stringify(analyseTonal(input));
    expect(JSON.stringify(analyseTonal(input))).toBe(first);
    // JSON would turn numbers that are not finite into null.
    expect(JSON.parse(first)).toEqual(analyseTonal(input));
  });
});

describe('abstention', () => {
  it.each([
    ['white noise', makeNoise(6 * RATE_HZ, 0.3), 'no_pitched_content'],
    ['a drum loop', renderDrums(8), 'no_pitched_content'],
    ['silence', new Float32Array(6 * RATE_HZ), 'silence'],
    ['half a second of a chord', renderChords([makeChord(0, MAJOR, 0.5)]), 'too_short'],
    ['nothing', new Float32Array(0), 'silence'],
  ])('from %s', (_name, signal, reason) => {
    const result = analyseTonal(prepare(signal));
    expect(result.reason).toBe(reason);
    expect(result.tonal).toMatchObject({
      key: null,
      scale: null,
      confidence: null,
      chords: [],
      keyChanges: [],
    });
  });

  it('gives noise no key, even if one was hinted', () => {
    const { tonal } = analyseTonal(prepare(makeNoise(6 * RATE_HZ, 0.3), { hints: { key: 'C' } }));
    expect(tonal.key).toBeNull();
  });

  it('gives initial silence no chord', () => {
    const silent = new Float32Array(2 * RATE_HZ);
    const music = renderChords(makeCadence(0));
    const signal = new Float32Array(silent.length + music.length);
    signal.set(music, silent.length);
    const { tonal } = analyseTonal(prepare(signal));
    expect(tonal.chords[0]).toMatchObject({ startSeconds: 0, label: 'N', roman: null });
    // The long window smears the onset over less than half a second.
    expect(Math.abs(tonal.chords[0]!.endSeconds - 2)).toBeLessThanOrEqual(0.5);
  });
});

const HITS_PER_SECOND = 4;
const HIT_SECONDS = 0.136;
/** Times in which the sounds fall to 1/e. */
const DECAY_SECONDS = { kick: 0.054, snare: 0.041, hiHat: 0.011 };
/** The initial frequency of the kick, which falls to 0 within `HIT_SECONDS`. */
const KICK_HZ = 105;

/** A falling sine for the kick and bursts of noise for snare and hi-hat, at 120 BPM. */
function renderDrums(durationSeconds: number): Float32Array {
  const signal = new Float32Array(durationSeconds * RATE_HZ);
  const noise = makeNoise(signal.length, 1, 3);
  const hitSamples = Math.round(HIT_SECONDS * RATE_HZ);
  for (let hit = 0; hit < durationSeconds * HITS_PER_SECOND; hit++) {
    const start = Math.round((hit * RATE_HZ) / HITS_PER_SECOND);
    const isKick = hit % 4 === 0;
    const isSnare = hit % 4 === 2;
    const noiseLevel = isSnare ? 0.4 : 0.1;
    const noiseDecaySeconds = isSnare ? DECAY_SECONDS.snare : DECAY_SECONDS.hiHat;
    for (let n = 0; n < hitSamples && start + n < signal.length; n++) {
      const seconds = n / RATE_HZ;
      signal[start + n]! += noiseLevel * Math.exp(-seconds / noiseDecaySeconds) * noise[start + n]!;
      if (!isKick) continue;
      // The frequency is the derivative of the cycles: KICK_HZ · (1 − t / HIT_SECONDS) · exp(−t / HIT_SECONDS).
      const cycles = KICK_HZ * seconds * Math.exp(-seconds / HIT_SECONDS);
      signal[start + n]! += 0.7 * Math.exp(-seconds / DECAY_SECONDS.kick) * Math.sin(2 * Math.PI * cycles);
    }
  }
  return signal;
}
