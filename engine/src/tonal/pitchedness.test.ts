import { describe, expect, it } from 'vitest';
import { CHORD_CLASS_COUNT, createChordActivation, NO_CHORD } from './chord-activation.ts';
import { classifyPitch, findSoundEdges, markSilentFrames } from './pitchedness.ts';

const FRAMES = 20;
const tuned = (concentration: number) => ({ cents: 0, referenceHz: 440, concentration });
/** Every frame has the same twelve values. */
function makeChroma(row: readonly number[]) {
  const data = Float32Array.from({ length: 12 * FRAMES }, (_, i) => row[i % 12]!);
  return { frameRateHz: 10, binCount: 12, frameCount: FRAMES, data };
}
const triad = makeChroma([5, 0, 0, 0, 4, 0, 0, 4, 0, 0, 0, 0]);
/** A chroma whose largest pitch class is `crest` times the mean. */
const crested = (crest: number) => makeChroma([crest, ...new Array(11).fill((12 - crest) / 11)]);
const flat = makeChroma(Array.from({ length: 12 }, () => 1));
const allSounding = new Uint8Array(FRAMES);
/** A network that gives one chord this probability and no chord the rest. */
function makeCertainty(probability: number) {
  const activation = createChordActivation(10, FRAMES, 'learned');
  activation.logProbabilities.fill(-30);
  for (let frame = 0; frame < FRAMES; frame++) {
    activation.logProbabilities[frame * CHORD_CLASS_COUNT + 7] = Math.log(probability);
    activation.logProbabilities[frame * CHORD_CLASS_COUNT + NO_CHORD] = Math.log(1 - probability);
  }
  return activation;
}

describe('pitched sound', () => {
  it.each([
    ['clear tuning and few pitch classes', tuned(0.9), triad, null, 'clear'],
    ['clear tuning but all pitch classes', tuned(0.9), flat, null, 'none'],
    ['no common tuning', tuned(0.2), triad, null, 'none'],
    ['no peaks', null, flat, null, 'none'],
    ['a certain network against the other measures', tuned(0.2), flat, makeCertainty(0.26), 'clear'],
    ['an uncertain network with the other measures', tuned(0.9), triad, makeCertainty(0.13), 'clear'],
    ['an uncertain network without the other measures', tuned(0.3), flat, makeCertainty(0.24), 'none'],
    ['just enough concentration and crest', tuned(0.45), crested(2.95), null, 'clear'],
    ['too low a crest', tuned(0.45), crested(2.85), null, 'none'],
    ['too low a concentration', tuned(0.449), triad, null, 'none'],
    ['silence, however well in tune', tuned(0.9), makeChroma(new Array(12).fill(0)), null, 'none'],
    ['a network that hardly finds a chord', tuned(0.9), triad, makeCertainty(0.11), 'none'],
  ])('%s', (_name, tuning, chroma, learned, expected) => {
    expect(classifyPitch(tuning, chroma, allSounding, learned, null)).toBe(expected);
  });

  it.each([
    ['a loop', { hipHop: 1.2 }, 0.011, 'masked'],
    ['drums alone', { hipHop: 2 }, 0.009, 'none'],
    ['a loop in another style', { hipHop: 1.19 }, 0.1, 'none'],
    ['clear chords', { hipHop: 2 }, 0.6, 'clear'],
  ])('under rap: %s', (_name, style, certainty, expected) => {
    expect(classifyPitch(tuned(0.05), flat, allSounding, makeCertainty(certainty), style)).toBe(expected);
  });

  it('depends on the frames that are not silent', () => {
    const chroma = makeChroma([5, 0, 0, 0, 4, 0, 0, 4, 0, 0, 0, 0]);
    chroma.data.fill(1, 0, 12 * 12);
    const silent = new Uint8Array(FRAMES).fill(1, 0, 12);
    expect(classifyPitch(tuned(0.9), chroma, silent, null, null)).toBe('clear');
    expect(classifyPitch(tuned(0.9), chroma, allSounding, null, null)).toBe('none');
    // Frames without any pitch class do not count.
    chroma.data.fill(0, 0, 12 * 12);
    expect(classifyPitch(tuned(0.9), chroma, allSounding, null, null)).toBe('clear');
  });

  it('depends on the network in those frames only', () => {
    const learned = makeCertainty(0.3);
    learned.logProbabilities.fill(-30, 0, 12 * CHORD_CLASS_COUNT);
    const silent = new Uint8Array(FRAMES).fill(1, 0, 12);
    expect(classifyPitch(tuned(0.2), flat, silent, learned, null)).toBe('clear');
    expect(classifyPitch(tuned(0.2), flat, allSounding, learned, null)).toBe('none');
    expect(classifyPitch(tuned(0.9), triad, new Uint8Array(FRAMES).fill(1), makeCertainty(0.9), null)).toBe(
      'none',
    );
  });
});

describe('silence', () => {
  const makePitch = (levels: readonly number[]) => ({
    frameRateHz: 10,
    binCount: 2,
    frameCount: levels.length,
    data: Float32Array.from(levels.flatMap((level) => [level, level])),
  });

  it('is a frame at or below a hundredth of the RMS level', () => {
    expect([...markSilentFrames(makePitch([0, 0.001, 0.5, 1, 1, 0.002]))]).toEqual([1, 1, 0, 0, 0, 1]);
    // The mean square is 0.5: a hundredth of its root is 0.00707.
    expect([...markSilentFrames(makePitch([1, 0.0072, 1, 0.0069]))]).toEqual([0, 0, 0, 1]);
    expect([...markSilentFrames(makePitch([0, 0]))]).toEqual([1, 1]);
    expect(markSilentFrames(makePitch([]))).toHaveLength(0);
  });

  it('has edges where the sound starts and ends, corrected for the length of the window', () => {
    expect(findSoundEdges(Uint8Array.of(1, 1, 0, 0, 0, 1), 10)).toEqual([0.35, 0.25]);
    expect(findSoundEdges(Uint8Array.of(0, 1, 1, 1), 10)).toEqual([-0.15]);
    expect(findSoundEdges(Uint8Array.of(0, 0), 10)).toEqual([]);
    expect(findSoundEdges(Uint8Array.of(1, 1), 10)).toEqual([]);
  });
});
