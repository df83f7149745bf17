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
  return { blocks: createKeyBlocks(computeChroma(pitch, rms, 0).middle, null), durationSeconds };
}

describe('key changes', () => {
  it('finds a change within a bar or two of where it is', () => {
    const changeSeconds = 60;
    const { blocks, durationSeconds } = makeBlocks([
      ...Array.from({ length: 6 }, () => C_MAJOR),
      ...Array.from({ length: 6 }, () => EB_MAJOR),
    ]);
    const spans = findKeySpans(blocks, estimateKey(blocks, null).key, { durationSeconds });
    expect(spans.map(({ key }) => key)).toEqual(['C', 'Eb']);
    // Blocks are 2.5 s long and the cadences share chords about the change.
    expect(Math.abs(spans[0]!.endSeconds - changeSeconds)).toBeLessThanOrEqual(5);
    expect(spans[0]!.startSeconds).toBe(0);
    expect(spans[1]!.endSeconds).toBe(durationSeconds);
    const barLines = [changeSeconds - 0.9, spans[0]!.endSeconds + 0.4, spans[0]!.endSeconds + 2];
    const onBars = findKeySpans(blocks, C_MAJOR, { durationSeconds, barLinesSeconds: barLines });
    expect(barLines).toContain(onBars[1]!.startSeconds);
    expect(onBars[0]!.endSeconds).toBe(onBars[1]!.startSeconds);
  });

  it('stays where nothing changes', () => {
    const { blocks, durationSeconds } = makeBlocks(Array.from({ length: 10 }, () => D_MINOR));
    const spans = findKeySpans(blocks, D_MINOR, { durationSeconds });
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({ key: 'D', scale: 'minor', startSeconds: 0 });
  });

  it('takes the relative of the given key for it, but not another key', () => {
    const { blocks, durationSeconds } = makeBlocks([
      ...Array.from({ length: 5 }, () => C_MAJOR),
      ...Array.from({ length: 5 }, () => EB_MAJOR),
    ]);
    const given = findKeySpans(blocks, createKey(9, 'minor'), { durationSeconds, homeIsGiven: true });
    expect(given.map(({ key, scale }) => `${key} ${scale}`)).toEqual(['A minor', 'Eb major']);
  });

  it('does not follow a visit of one phrase', () => {
    const { blocks, durationSeconds } = makeBlocks([
      C_MAJOR,
      C_MAJOR,
      C_MAJOR,
      EB_MAJOR,
      C_MAJOR,
      C_MAJOR,
      C_MAJOR,
    ]);
    expect(findKeySpans(blocks, C_MAJOR, { durationSeconds }).map(({ key }) => key)).toEqual(['C']);
  });
});

describe('a path of keys', () => {
  const BLOCK_SECONDS = 2.5;
  const A_MINOR = createKey(9, 'minor');
  const E_MAJOR = createKey(4, 'major');

  /** Blocks in which a network hears one key beyond doubt, `times` as strongly: its features are the evidence for the 24 keys. */
  function hear(course: readonly (readonly [key: number, blocks: number, times?: number])[]) {
    const keys = course.flatMap(([key, count]) => new Array<number>(count).fill(key));
    const levels = course.flatMap(([, count, times = 1]) => new Array<number>(count).fill(times));
    const features = new Float32Array(keys.length * 24);
    keys.forEach((key, block) => {
      features[block * 24 + key] = 25 * 20 * levels[block]!;
    });
    const blocks: KeyBlocks = {
      blockCount: keys.length,
      blockFrames: 25,
      frameRateHz: 10,
      soundingFrames: new Float64Array(keys.length).fill(25),
      chroma: new Float32Array(12 * keys.length),
      minorLean: 0,
      isCovered: false,
      learned: { head: { featureCount: 24, score: (mean) => mean }, features },
    };
    return { blocks, durationSeconds: keys.length * BLOCK_SECONDS - 1 };
  }

  function follow(
    course: Parameters<typeof hear>[0],
    homeKey: number,
    options: Partial<KeySpanOptions> = {},
  ) {
    const { blocks, durationSeconds } = hear(course);
    return findKeySpans(blocks, homeKey, { durationSeconds, ...options }).map(
      ({ startSeconds, endSeconds, key, scale }) => [startSeconds, endSeconds, `${key} ${scale}`],
    );
  }

  it('does not follow what the network hears in a long silence', () => {
    const { blocks, durationSeconds } = hear([
      [EB_MAJOR, 24],
      [C_MAJOR, 24],
      [D_MINOR, 24],
    ]);
    const spansOf = (soundingFrames: Float64Array) =>
      findKeySpans({ ...blocks, soundingFrames }, C_MAJOR, { durationSeconds });
    expect(spansOf(blocks.soundingFrames)).toHaveLength(3);
    const silentAround = blocks.soundingFrames.map((count, block) => (block < 24 || block >= 48 ? 0 : count));
    expect(spansOf(silentAround)).toMatchObject([{ key: 'C', scale: 'major' }]);
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

  it('changes there too when one of the two keys is heard six times as strongly', () => {
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

  it('changes there too when the new key becomes stronger later', () => {
    const course = [
      [C_MAJOR, 24],
      [EB_MAJOR, 4],
      [EB_MAJOR, 20, 2],
    ] as const;
    expect(follow(course, C_MAJOR)[1]).toEqual([60, 119, 'Eb major']);
  });

  it('begins with the piece, wherever the first bar line is', () => {
    const course = [
      [C_MAJOR, 24],
      [EB_MAJOR, 24],
    ] as const;
    expect(follow(course, C_MAJOR, { barLinesSeconds: [0.4, 60.4, 118] })).toEqual([
      [0, 60.4, 'C major'],
      [60.4, 119, 'Eb major'],
    ]);
  });

  it('rates each key by its own part alone', () => {
    const confidences = (...keys: number[]) => {
      const { blocks } = hear(keys.map((key) => [key, 24] as const));
      return findKeySpans(blocks, keys[0]!, { durationSeconds: 1 }).map(({ confidence }) => confidence);
    };
    const [alone] = confidences(C_MAJOR);
    expect(alone).toBeGreaterThan(0.5);
    expect(confidences(C_MAJOR, EB_MAJOR)).toEqual([alone, alone]);
  });

  it('keeps a visit of a quarter of a minute', () => {
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

  it('drops a shorter visit, however strong', () => {
    const visit = (blocks: number, times: number) =>
      follow(
        [
          [C_MAJOR, 30],
          [EB_MAJOR, blocks, times],
          [D_MINOR, 30],
        ],
        C_MAJOR,
        { barLinesSeconds: [76.2] },
      );
    for (const spans of [visit(3, 6), visit(1, 100)])
      for (const [start, end] of spans)
        expect((end as number) - (start as number)).toBeGreaterThanOrEqual(15);
  });

  it.each([
    ['the nearest bar line', [50, 58, 61, 63], 61],
    ['the nearest bar line, before it', [50, 58, 62.1, 63], 58],
    ['a bar line less than a block away', [57.6, 64], 57.6],
    ['its block, when the bar lines are a block away', [57.5, 62.5], 60],
  ])('changes at %s', (_name, barLinesSeconds, expected) => {
    const course = [
      [C_MAJOR, 24],
      [EB_MAJOR, 24],
    ] as const;
    const [first, second] = follow(course, C_MAJOR, { barLinesSeconds });
    expect([first![1], second![0]]).toEqual([expected, expected]);
  });

  it('is that of the whole when it does not change, whatever the path says', () => {
    expect(follow([[EB_MAJOR, 24]], C_MAJOR)).toEqual([[0, 59, 'C major']]);
  });

  it('has no changes in less than half a minute', () => {
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
    // Ten blocks of the new key pay for a change, twenty when it is the relative or the parallel one.
    ['another key', C_MAJOR, EB_MAJOR, 15, 2],
    ['another key of the other scale', C_MAJOR, D_MINOR, 15, 2],
    ['another key, hardly', C_MAJOR, EB_MAJOR, 8, 1],
    // Windows of twelve blocks, each worth six at most: n blocks at the end are worth 6 (n - 2) + 10/3.
    ['another key that is not quite worth it', C_MAJOR, EB_MAJOR, 11, 1],
    ['another key that is just worth it', C_MAJOR, EB_MAJOR, 12, 2],
    ['the relative minor that is not quite worth it', C_MAJOR, A_MINOR, 21, 1],
    ['the relative minor that is just worth it', C_MAJOR, A_MINOR, 22, 2],
    ['the relative minor', C_MAJOR, A_MINOR, 15, 1],
    ['the relative minor, for long', C_MAJOR, A_MINOR, 26, 2],
    ['the relative major', A_MINOR, C_MAJOR, 15, 1],
    ['the parallel minor', C_MAJOR, createKey(0, 'minor'), 15, 1],
    ['the parallel major', D_MINOR, createKey(2, 'major'), 15, 1],
    ['the major a third below a minor', createKey(0, 'minor'), A_MINOR - 12, 15, 2],
  ])('goes to %s when it is there for long enough', (_name, from, to, blocks, spans) => {
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

  it('continues after a skipped key, when the relative that follows is taken for the given key', () => {
    const course = [
      [C_MAJOR, 30],
      [E_MAJOR, 4, 6],
      [A_MINOR, 30],
    ] as const;
    expect(follow(course, C_MAJOR, { homeIsGiven: true })).toEqual([[0, 159, 'C major']]);
  });

  it('takes the relative or the parallel of the given key for it, but no other', () => {
    const course = [
      [C_MAJOR, 30],
      [createKey(0, 'minor'), 48],
      [EB_MAJOR, 30],
    ] as const;
    expect(follow(course, A_MINOR, { homeIsGiven: true })).toEqual([
      [0, 75, 'A minor'],
      [75, 195, 'C minor'],
      [195, 269, 'Eb major'],
    ]);
    expect(follow(course, C_MAJOR, { homeIsGiven: true }).map(([, , name]) => name)).toEqual([
      'C major',
      'Eb major',
    ]);
    expect(follow(course, C_MAJOR).map(([, , name]) => name)).toEqual(['C major', 'C minor', 'Eb major']);
  });
});
