import { describe, expect, it } from 'vitest';
import type { Style } from '../tags/style.ts';
import { analyseTonal, type TonalInput } from './analyse-tonal.ts';
import { CHORD_CLASS_COUNT, createChordActivation, NO_CHORD } from './chord-activation.ts';
import { hearHarmony } from './hear-harmony.ts';
import { createKey } from './key-name.ts';
import { drawChords, makeBeats, makeCadence, makeChord, type TestChord } from './test-progressions.ts';

const NOTHING = {
  key: null,
  scale: null,
  confidence: null,
  alternatives: [],
  keyChanges: [],
  tuningHz: null,
  tuningCents: null,
  chords: [],
  chordsSevenths: [],
  chroma: [],
};

function prepare(chords: readonly TestChord[], overrides: Partial<TonalInput> = {}): TonalInput {
  const pitch = drawChords(chords);
  const durationSeconds = pitch.frameCount / pitch.frameRateHz;
  const harmony = hearHarmony({ pitch, rms: 0.1, model: null });
  return {
    pitch,
    rms: 0.1,
    durationSeconds,
    beats: makeBeats(durationSeconds),
    harmony,
    style: null,
    ...overrides,
  };
}
const NO_STYLE: Style = { hipHop: 0, blues: 0, country: 0, metal: 0, happy: 0 };

/** The same song with a network that gives these chords their probabilities throughout, and finds only the keys with a logit. */
function withNetwork(
  song: TonalInput,
  { chords, logits }: { chords: Record<number, number>; logits: Record<number, number> },
): TonalInput {
  const activation = createChordActivation(10, song.pitch.frameCount, 'learned');
  activation.logProbabilities.fill(-40);
  for (let frame = 0; frame < activation.frameCount; frame++) {
    for (const [chord, probability] of Object.entries(chords)) {
      activation.logProbabilities[frame * CHORD_CLASS_COUNT + Number(chord)] = Math.log(probability);
    }
  }
  const score = () => Float32Array.from({ length: 24 }, (_, key) => logits[key] ?? -60);
  const keys = { head: { featureCount: 1, score }, features: new Float32Array(song.pitch.frameCount) };
  return { ...song, harmony: { ...song.harmony, learned: { activation, keys } } };
}
const A_MINOR = createKey(9, 'minor');
const cadence = makeCadence(A_MINOR);

describe('a cadence of drawn frames', () => {
  it('has its key, its chords and its chroma', () => {
    const { tonal, reason } = analyseTonal(prepare([...cadence, ...cadence]));
    expect(reason).toBeNull();
    expect(tonal).toMatchObject({
      key: 'A',
      scale: 'minor',
      tuningHz: expect.closeTo(440, 9),
      tuningCents: expect.closeTo(0, 9),
    });
    expect(tonal.keyChanges).toMatchObject([{ startSeconds: 0, endSeconds: 20, key: 'A', scale: 'minor' }]);
    expect(tonal.chords.slice(0, 4).map(({ label, roman }) => [label, roman])).toEqual([
      ['A:min', 'i'],
      ['F:maj', 'VI'],
      ['D:min', 'iv'],
      ['E:maj', 'V'],
    ]);
    expect(tonal.chordsSevenths).toHaveLength(tonal.chords.length);
    // A belongs to three of the four chords.
    expect(tonal.chroma).toHaveLength(12);
    expect(tonal.chroma[9]).toBe(1);
    // C is no root, so the bass has little of it.
    expect(tonal.chroma[0]).toBeGreaterThan(0.5);
    expect(Math.min(...tonal.chroma)).toBeGreaterThanOrEqual(0);
    expect(tonal.chroma.filter((value) => value === 1)).toHaveLength(1);
  });

  it('is in the hinted key, without alternatives', () => {
    const { tonal } = analyseTonal(prepare(cadence, { hints: { key: 'C major' } }));
    expect([tonal.key, tonal.scale, tonal.alternatives]).toEqual(['C', 'major', []]);
    expect(analyseTonal(prepare(cadence)).tonal.alternatives).toHaveLength(5);
  });

  it('is in the hinted key where its relative is found', () => {
    const [c, eb] = [makeCadence(0), makeCadence(3)];
    const song = prepare([...c, ...c, ...c, ...c, ...c, ...eb, ...eb, ...eb, ...eb, ...eb]);
    const keysOf = (input: TonalInput) => analyseTonal(input).tonal.keyChanges.map(({ key }) => key);
    expect(keysOf({ ...song, hints: { key: 'A minor' } })).toEqual(['A', 'Eb']);
    expect(keysOf(song)).toEqual(['C', 'Eb']);
  });

  it('changes key at a bar line, and at no other beat', () => {
    const [c, eb] = [makeCadence(0), makeCadence(3)];
    const song = prepare([...c, ...c, ...c, ...c, ...c, ...eb, ...eb, ...eb, ...eb, ...eb]);
    // Bars of two seconds that start at odd seconds.
    const beats = makeBeats(100).map((beat) => ({ ...beat, timeSeconds: beat.timeSeconds + 1 }));
    const startsOf = (input: TonalInput) =>
      analyseTonal(input).tonal.keyChanges.map(({ startSeconds }) => startSeconds);
    expect(startsOf(song)).toEqual([0, 50]);
    // The bar lines at 49 and at 51 s are equally near; the earlier one is taken.
    expect(startsOf({ ...song, beats })).toEqual([0, 49]);
  });

  it('is analysed by the network and the templates together', () => {
    const song = prepare([makeChord(0, [0, 4, 7], 4)]);
    const { tonal } = analyseTonal(withNetwork(song, { chords: { 8: 0.99 }, logits: { 3: 0 } }));
    expect(tonal.chords.map(({ label }) => label)).toEqual(['Ab:maj']);
    expect([tonal.key, tonal.scale]).toEqual(['Eb', 'major']);
    const alone = analyseTonal(song).tonal;
    expect(alone.chords.map(({ label }) => label)).toEqual(['C:maj']);
    // Between chords that the network finds about as likely, the templates decide.
    const unsure = withNetwork(song, { chords: { 0: 0.4, 8: 0.6 }, logits: {} });
    expect(analyseTonal(unsure).tonal.chords.map(({ label }) => label)).toEqual(['C:maj']);
    expect([alone.key, alone.scale]).toEqual(['C', 'major']);
  });

  it('is major or minor as is usual in its style', () => {
    const song = withNetwork(prepare([makeChord(0, [0, 4, 7], 4)]), {
      chords: { 0: 0.99 },
      // About as much as the chroma adds for C major.
      logits: { 0: 0, [A_MINOR]: 4 },
    });
    const scaleIn = (style: Partial<Style>) =>
      analyseTonal({ ...song, style: { ...NO_STYLE, ...style } }).tonal.scale;
    expect([scaleIn({ blues: 2 }), scaleIn({ country: 2 })]).toEqual(['minor', 'major']);
  });

  it('has no key if the network is certain of no chord, or one with a lower confidence in rap', () => {
    const song = prepare(cadence);
    const analyse = (certainty: number, style: Style | null) =>
      analyseTonal({ ...withNetwork(song, { chords: { 0: certainty }, logits: { [A_MINOR]: 0 } }), style });
    expect(analyse(0.05, null)).toEqual({ tonal: NOTHING, reason: 'no_pitched_content' });
    const rap = { ...NO_STYLE, hipHop: 1.5 };
    const logOdds = (confidence: number | null) => Math.log(confidence! / (1 - confidence!));
    const [masked, clear] = [analyse(0.05, rap).tonal, analyse(0.9, rap).tonal];
    expect([masked.key, clear.key]).toEqual(['A', 'A']);
    expect(logOdds(clear.confidence) - logOdds(masked.confidence)).toBeCloseTo(1.1, 9);
  });

  it('is analysed in the estimated tuning', () => {
    const song = prepare(cadence);
    const tuning = { cents: 30, referenceHz: 447.7, concentration: 0.9 };
    const { tonal } = analyseTonal({ ...song, harmony: { ...song.harmony, tuning } });
    expect([tonal.tuningCents, tonal.tuningHz]).toEqual([30, 447.7]);
    expect(tonal.chroma).not.toEqual(analyseTonal(song).tonal.chroma);
  });

  it('has no chord in the silence that precedes it', () => {
    const song = prepare(cadence, { beats: makeBeats(10, 2) });
    song.pitch.data.fill(0, 0, 16 * song.pitch.binCount);
    const { chords } = analyseTonal(song).tonal;
    // Between the half beats at 1 s and 2 s, sound shows from the frame at 1.6 s on, so it starts 0.15 s later.
    const silence = { startSeconds: 0, endSeconds: 1.75, label: 'N' };
    expect(chords[0]).toMatchObject(silence);
    const withChords = withNetwork(song, { chords: { [A_MINOR]: 0.995, [NO_CHORD]: 0.005 }, logits: {} });
    expect(analyseTonal(withChords).tonal.chords[0]).toMatchObject(silence);
  });

  it('has the key of the network where it sounds, whatever that finds in a long silence', () => {
    const song = withNetwork(prepare([...cadence, ...cadence, ...cadence]), {
      chords: { [A_MINOR]: 0.99 },
      logits: {},
    });
    song.pitch.data.fill(0, 100 * song.pitch.binCount);
    // Four blocks sound, and eight are silent.
    const score = ([mean]: Float32Array) =>
      Float32Array.from({ length: 24 }, (_, key) => (key === (mean === 0 ? A_MINOR : 3) ? 0 : -60));
    const keys = { head: { featureCount: 1, score }, features: new Float32Array(12).fill(25, 4) };
    const learned = { ...song.harmony.learned!, keys };
    const { tonal } = analyseTonal({ ...song, harmony: { ...song.harmony, learned } });
    expect([tonal.key, tonal.scale]).toEqual(['A', 'minor']);
  });
});

describe('abstention', () => {
  it.each<[string, Partial<TonalInput>, string | null]>([
    ['silence', { rms: 1e-4 }, 'silence'],
    ['a level that is not a number', { rms: Number.NaN }, 'silence'],
    ['less than a second', { durationSeconds: 0.99 }, 'too_short'],
    ['sound without a pitch', { harmony: { tuning: null, learned: null, models: [] } }, 'no_pitched_content'],
  ])('from %s', (_name, overrides, reason) => {
    expect(analyseTonal(prepare(cadence, overrides))).toEqual({ tonal: NOTHING, reason });
  });

  it('does not happen for a second of sound just above silence', () => {
    const { tonal, reason } = analyseTonal(prepare([makeChord(0, [0, 4, 7], 1)], { rms: 1.1e-4 }));
    expect([reason, tonal.chords.map(({ label }) => label)]).toEqual([null, ['C:maj']]);
  });

  it('does not hide an invalid key hint', () => {
    expect(() => analyseTonal(prepare(cadence, { hints: { key: 'loud' } }))).toThrow('not a key');
  });
});
