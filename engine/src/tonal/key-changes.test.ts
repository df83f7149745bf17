import { describe, expect, it } from 'vitest';
import { analyseSpectra } from '../signal/test-spectra.ts';
import { computeChroma } from './chroma.ts';
import { estimateKey } from './key.ts';
import { findKeySpans, type KeySpanOptions } from './key-changes.ts';
import { createKeyBlocks, type KeyBlocks } from './key-evidence.ts';
import { createKey } from './key-name.ts';
import { makeCadence, renderChords } from './test-progressions.ts';

const C_MAJOR = createKey(0, 'major');
const EB_MAJOR = createKey(3, 'major');
const D_MINOR = createKey(2, 'minor');

function makeBlocks(keys: readonly number[]) {
  const chords = keys.flatMap(makeCadence);
  const { pitch, rms, durationSeconds } = analyseSpectra(renderChords(chords));
  const chroma = computeChroma(pitch, rms, 0).middle;
  const silent = new Uint8Array(chroma.frameCount);
  return {
    blocks: createKeyBlocks(chroma, { learned: null, style: null, isMasked: false, silent }),
    durationSeconds,
  };
}

const NO_OPTIONS = { barLinesSeconds: [], isHomeGiven: false };

describe('key changes', () => {
  it('are found within 5 s of where they are', () => {
    const changeSeconds = 60;
    const { blocks, durationSeconds } = makeBlocks([
      ...Array.from({ length: 6 }, () => C_MAJOR),
      ...Array.from({ length: 6 }, () => EB_MAJOR),
    ]);
    const spans = findKeySpans(blocks, estimateKey(blocks, null).key, { ...NO_OPTIONS, durationSeconds });
    expect(spans.map(({ key }) => key)).toEqual(['C', 'Eb']);
    // Two blocks of 2.5 s: the two cadences share tones, which blurs the change.
    expect(Math.abs(spans[0]!.endSeconds - changeSeconds)).toBeLessThanOrEqual(5);
    expect(spans[0]!.startSeconds).toBe(0);
    expect(spans[1]!.endSeconds).toBe(durationSeconds);
    const nearestSeconds = spans[0]!.endSeconds + 0.4;
    const barLinesSeconds = [nearestSeconds - 2, nearestSeconds, nearestSeconds + 1.6];
    const onBars = findKeySpans(blocks, C_MAJOR, {
      ...NO_OPTIONS,
      durationSeconds,
      barLinesSeconds,
    });
    expect([onBars[0]!.endSeconds, onBars[1]!.startSeconds]).toEqual([nearestSeconds, nearestSeconds]);
  });

  it('are absent where the key is constant', () => {
    const { blocks, durationSeconds } = makeBlocks(Array.from({ length: 10 }, () => D_MINOR));
    const spans = findKeySpans(blocks, D_MINOR, { ...NO_OPTIONS, durationSeconds });
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({ key: 'D', scale: 'minor', startSeconds: 0 });
  });

  it('do not include a change to the relative of the given key', () => {
    const { blocks, durationSeconds } = makeBlocks([
      ...Array.from({ length: 5 }, () => C_MAJOR),
      ...Array.from({ length: 5 }, () => EB_MAJOR),
    ]);
    const given = findKeySpans(blocks, createKey(9, 'minor'), {
      ...NO_OPTIONS,
      durationSeconds,
      isHomeGiven: true,
    });
    expect(given.map(({ key, scale }) => `${key} ${scale}`)).toEqual(['A minor', 'Eb major']);
  });

  it('do not include a modulation of one phrase', () => {
    const { blocks, durationSeconds } = makeBlocks([
      C_MAJOR,
      C_MAJOR,
      C_MAJOR,
      EB_MAJOR,
      C_MAJOR,
      C_MAJOR,
      C_MAJOR,
    ]);
    expect(findKeySpans(blocks, C_MAJOR, { ...NO_OPTIONS, durationSeconds }).map(({ key }) => key)).toEqual([
      'C',
    ]);
  });
});

describe('a path of keys', () => {
  const BLOCK_SECONDS = 2.5;
  const A_MINOR = createKey(9, 'minor');
  const E_MAJOR = createKey(4, 'major');

  /** Blocks in which a network is certain of one key, scaled by `factor`. Its features are the evidence for the 24 keys. */
  function makeCourse(course: readonly (readonly [key: number, blocks: number, factor?: number])[]) {
    const keys = course.flatMap(([key, count]) => new Array<number>(count).fill(key));
    const factors = course.flatMap(([, count, factor = 1]) => new Array<number>(count).fill(factor));
    const features = new Float32Array(keys.length * 24);
    keys.forEach((key, block) => {
      features[block * 24 + key] = 25 * 20 * factors[block]!;
    });
    const blocks: KeyBlocks = {
      blockCount: keys.length,
      blockFrames: 25,
      frameRateHz: 10,
      soundingFrames: new Float64Array(keys.length).fill(25),
      chroma: new Float32Array(12 * keys.length),
      minorBiasLogOdds: 0,
      isMasked: false,
      learned: { head: { featureCount: 24, score: (mean) => mean }, features },
    };
    return { blocks, durationSeconds: keys.length * BLOCK_SECONDS - 1 };
  }

  function follow(
    course: Parameters<typeof makeCourse>[0],
    homeKey: number,
    options: Partial<KeySpanOptions> = {},
  ) {
    const { blocks, durationSeconds } = makeCourse(course);
    return findKeySpans(blocks, homeKey, { ...NO_OPTIONS, durationSeconds, ...options }).map(
      ({ startSeconds, endSeconds, key, scale }) => [startSeconds, endSeconds, `${key} ${scale}`],
    );
  }

  it('ignores the network in a long silence', () => {
    const { blocks, durationSeconds } = makeCourse([
      [EB_MAJOR, 24],
      [C_MAJOR, 24],
      [D_MINOR, 24],
    ]);
    const spansOf = (soundingFrames: Float64Array) =>
      findKeySpans({ ...blocks, soundingFrames }, C_MAJOR, { ...NO_OPTIONS, durationSeconds });
    expect(spansOf(blocks.soundingFrames)).toHaveLength(3);
    const silentAtEnds = blocks.soundingFrames.map((count, block) => (block < 24 || block >= 48 ? 0 : count));
    expect(spansOf(silentAtEnds)).toMatchObject([{ key: 'C', scale: 'major' }]);
  });

  it('changes at the blocks where the evidence does, and ends with the piece', () => {
    expect(
      follow(
        [
          [C_MAJOR, 24],
          [EB_MAJOR, 16],
          [D_MINOR, 20],
        ],
        C_MAJOR,
      ),
    ).toEqual([
      [0, 60, 'C major'],
      [60, 100, 'Eb major'],
      [100, 149, 'D minor'],
    ]);
  });

  it('changes there even if one of the two keys has six times the evidence', () => {
    for (const [first, second] of [
      [1, 6],
      [6, 1],
    ] as const) {
      const course = [
        [C_MAJOR, 24, first],
        [EB_MAJOR, 24, second],
      ] as const;
      expect(follow(course, C_MAJOR)).toEqual([
        [0, 60, 'C major'],
        [60, 119, 'Eb major'],
      ]);
    }
  });

  it('changes there even if one of the two keys is stronger farther away', () => {
    const later = [
      [C_MAJOR, 24],
      [EB_MAJOR, 4],
      [EB_MAJOR, 20, 2],
    ] as const;
    expect(follow(later, C_MAJOR)[1]).toEqual([60, 119, 'Eb major']);
    const earlier = [
      [C_MAJOR, 20, 2],
      [C_MAJOR, 4],
      [EB_MAJOR, 24],
    ] as const;
    expect(follow(earlier, C_MAJOR)[1]).toEqual([60, 119, 'Eb major']);
  });

  it('changes there even if a few strong blocks farther away separate the two keys better', () => {
    const before = [
      [C_MAJOR, 20],
      [EB_MAJOR, 2, 6],
      [C_MAJOR, 20],
      [EB_MAJOR, 24],
    ] as const;
    expect(follow(before, C_MAJOR)[1]).toEqual([105, 164, 'Eb major']);
    const after = [
      [C_MAJOR, 24],
      [EB_MAJOR, 20],
      [C_MAJOR, 2, 6],
      [EB_MAJOR, 20],
    ] as const;
    expect(follow(after, C_MAJOR)[1]).toEqual([60, 164, 'Eb major']);
  });

  it('starts with the piece, wherever the first bar line is', () => {
    const course = [
      [C_MAJOR, 24],
      [EB_MAJOR, 24],
    ] as const;
    expect(follow(course, C_MAJOR, { barLinesSeconds: [0.4, 60.4, 118] })).toEqual([
      [0, 60.4, 'C major'],
      [60.4, 119, 'Eb major'],
    ]);
  });

  it('has confidences that depend on each span alone', () => {
    const confidences = (...keys: number[]) => {
      const { blocks } = makeCourse(keys.map((key) => [key, 24] as const));
      return findKeySpans(blocks, keys[0]!, { ...NO_OPTIONS, durationSeconds: 1 }).map(
        ({ confidence }) => confidence,
      );
    };
    const [alone] = confidences(C_MAJOR);
    expect(alone).toBeGreaterThan(0.5);
    expect(confidences(C_MAJOR, EB_MAJOR)).toEqual([alone, alone]);
  });

  it('keeps a key of 15 seconds', () => {
    expect(
      follow(
        [
          [C_MAJOR, 30],
          [EB_MAJOR, 6, 6],
          [D_MINOR, 30],
        ],
        C_MAJOR,
      ),
    ).toEqual([
      [0, 75, 'C major'],
      [75, 90, 'Eb major'],
      [90, 164, 'D minor'],
    ]);
  });

  it('drops a shorter one, however strong', () => {
    const withVisit = (blocks: number, factor: number) =>
      follow(
        [
          [C_MAJOR, 30],
          [EB_MAJOR, blocks, factor],
          [D_MINOR, 30],
        ],
        C_MAJOR,
        { barLinesSeconds: [76.2] },
      );
    // It goes to the key before it.
    expect(withVisit(3, 6)).toEqual([
      [0, 82.5, 'C major'],
      [82.5, 156.5, 'D minor'],
    ]);
    expect(withVisit(1, 100)).toEqual([
      [0, 76.2, 'C major'],
      [76.2, 151.5, 'D minor'],
    ]);
  });

  it.each([
    ['the nearest bar line', [50, 58, 61, 63], 61],
    ['the nearest bar line, before it', [50, 58, 62.1, 63], 58],
    ['a bar line less than a block away', [57.6, 64], 57.6],
    ['its block, if the nearest bar lines are a block away', [57.5, 62.5], 60],
  ])('changes at %s', (_name, barLinesSeconds, expected) => {
    const course = [
      [C_MAJOR, 24],
      [EB_MAJOR, 24],
    ] as const;
    const [first, second] = follow(course, C_MAJOR, { barLinesSeconds });
    expect([first![1], second![0]]).toEqual([expected, expected]);
  });

  it('is the key of the whole piece if it does not change, whatever the path says', () => {
    expect(follow([[EB_MAJOR, 24]], C_MAJOR)).toEqual([[0, 59, 'C major']]);
  });

  it('has no changes in less than 30 seconds', () => {
    const halves = (blocks: number) =>
      follow(
        [
          [C_MAJOR, blocks],
          [EB_MAJOR, blocks],
        ],
        C_MAJOR,
      );
    expect(halves(5)).toHaveLength(1);
    expect(halves(20)).toHaveLength(2);
  });

  it.each([
    // With windows of twelve blocks and at most six log-odds a block, n blocks at the end gain 6 (n - 2) + 10 / 3. A change costs 60, or
    // 120 to the relative or the parallel key.
    ['another key', C_MAJOR, EB_MAJOR, 15, 2],
    ['another key of the other scale', C_MAJOR, D_MINOR, 15, 2],
    ['another key, too briefly', C_MAJOR, EB_MAJOR, 8, 1],
    ['another key, one block too short', C_MAJOR, EB_MAJOR, 11, 1],
    ['another key, just long enough', C_MAJOR, EB_MAJOR, 12, 2],
    ['the relative minor, one block too short', C_MAJOR, A_MINOR, 21, 1],
    ['the relative minor, just long enough', C_MAJOR, A_MINOR, 22, 2],
    ['the relative minor', C_MAJOR, A_MINOR, 15, 1],
    ['the relative minor, for long', C_MAJOR, A_MINOR, 26, 2],
    ['the relative major', A_MINOR, C_MAJOR, 15, 1],
    ['the parallel minor', C_MAJOR, createKey(0, 'minor'), 15, 1],
    ['the parallel major', D_MINOR, createKey(2, 'major'), 15, 1],
    ['the major key a minor third below a minor one', createKey(0, 'minor'), A_MINOR - 12, 15, 2],
  ])('changes to %s depending on how long that lasts', (_name, from, to, blocks, spans) => {
    expect(
      follow(
        [
          [from, 40],
          [to, blocks],
        ],
        from,
      ),
    ).toHaveLength(spans);
  });

  it('skips a short key on the way to the relative one', () => {
    // Two changes by way of a third key cost as much as the direct one.
    const through = (blocks: number) =>
      follow(
        [
          [C_MAJOR, 30],
          [E_MAJOR, blocks],
          [A_MINOR, 30],
        ],
        C_MAJOR,
      ).map(([, , name]) => name);
    expect(through(4)).toEqual(['C major', 'A minor']);
    expect(through(12)).toEqual(['C major', 'E major', 'A minor']);
  });

  it('continues after a skipped key if the key that follows is the relative of the given one', () => {
    const course = [
      [C_MAJOR, 30],
      [E_MAJOR, 4, 6],
      [A_MINOR, 30],
    ] as const;
    expect(follow(course, C_MAJOR, { isHomeGiven: true })).toEqual([[0, 159, 'C major']]);
  });

  it('counts the relative and the parallel of the given key as that key, but no other', () => {
    const course = [
      [C_MAJOR, 30],
      [createKey(0, 'minor'), 48],
      [EB_MAJOR, 30],
    ] as const;
    expect(follow(course, A_MINOR, { isHomeGiven: true })).toEqual([
      [0, 75, 'A minor'],
      [75, 195, 'C minor'],
      [195, 269, 'Eb major'],
    ]);
    expect(follow(course, C_MAJOR, { isHomeGiven: true }).map(([, , name]) => name)).toEqual([
      'C major',
      'Eb major',
    ]);
    expect(follow(course, C_MAJOR).map(([, , name]) => name)).toEqual(['C major', 'C minor', 'Eb major']);
  });
});
