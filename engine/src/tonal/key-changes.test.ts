import { describe, expect, it } from 'vitest';
import type { Style } from '../tags/style.ts';
import { computeChroma } from './chroma.ts';
import { estimateKey, readKeyHint } from './key.ts';
import { findKeySpans } from './key-changes.ts';
import { correlateProfiles, createKeyBlocks } from './key-evidence.ts';
import { createKey, pitchNameOf, tonicOf } from './key-name.ts';
import { analyseSpectra, makeCadence, renderChords } from './test-progressions.ts';

const C_MAJOR = createKey(0, 'major');
const EB_MAJOR = createKey(3, 'major');
const D_MINOR = createKey(2, 'minor');

function makeBlocks(keys: readonly number[]) {
  const chords = keys.flatMap(makeCadence);
  const { pitch, rms, durationSeconds } = analyseSpectra(renderChords(chords));
  return { blocks: createKeyBlocks(computeChroma(pitch, rms, 0).middle, null), durationSeconds };
}

describe('key of a piece', () => {
  it('follows a hint, and is only as sure as the evidence', () => {
    const { blocks } = makeBlocks([C_MAJOR, C_MAJOR]);
    const free = estimateKey(blocks, null);
    expect(free.key).toBe(C_MAJOR);
    const hinted = estimateKey(blocks, readKeyHint('Am'));
    expect(hinted.key).toBe(createKey(9, 'minor'));
    expect(hinted.confidence).toBeLessThan(0.5);
    expect(estimateKey(blocks, readKeyHint('C')).key).toBe(C_MAJOR);
  });

  it('calls a tonic without a clear third by the custom of the style', () => {
    // Tonic, second, fourth and fifth, with both thirds: a blues, or a country song.
    const chroma = new Float32Array(12);
    for (const [pitchClass, share] of [
      [0, 6],
      [2, 1],
      [3, 2],
      [4, 2],
      [5, 3],
      [7, 5],
    ] as const)
      chroma[pitchClass] = share;
    const frames = { frameRateHz: 10, frameCount: 1, binCount: 12, data: chroma };
    // A network without an opinion: only with one does the lean count.
    const silent = {
      head: { featureCount: 1, score: () => new Float32Array(24) },
      features: new Float32Array(1),
    };
    const styled = (style: Partial<Style>) =>
      estimateKey(
        createKeyBlocks(frames, silent, { hipHop: 0, blues: 0, country: 0, metal: 0, happy: 0, ...style }),
        null,
      ).key;
    expect(styled({ blues: 2.5 })).toBe(createKey(0, 'minor'));
    expect(styled({ country: 2.5 })).toBe(C_MAJOR);
  });

  it('is less sure of the same evidence under drums and a voice', () => {
    const { blocks } = makeBlocks([C_MAJOR, C_MAJOR]);
    const plain = estimateKey(blocks, null);
    const covered = estimateKey({ ...blocks, isCovered: true }, null);
    expect(covered.key).toBe(plain.key);
    expect(covered.confidence).toBeLessThan(plain.confidence);
  });

  it('ranks alternatives, the nearest relatives first', () => {
    const { blocks } = makeBlocks([C_MAJOR, C_MAJOR]);
    const { alternatives } = estimateKey(blocks, null);
    const weights = alternatives.map(({ weight }) => weight);
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    const names = alternatives.map(({ key, scale }) => `${key} ${scale}`);
    expect(names).toEqual(expect.arrayContaining(['A minor', 'F major']));
    expect(names).not.toContain('C major');
  });

  it('offers no alternative that the hint excludes', () => {
    const { blocks } = makeBlocks([C_MAJOR, C_MAJOR]);
    const alternativesTo = (hint: string) =>
      estimateKey(blocks, readKeyHint(hint)).alternatives.map(({ key, scale }) => `${key} ${scale}`);
    expect(alternativesTo('C')).toEqual(['C minor']);
    expect(alternativesTo('Am')).toEqual([]);
  });

  it('refuses a hint that is no key', () => {
    expect(() => readKeyHint('loud')).toThrow('not a key: "loud"');
  });

  it('turns with the chroma', () => {
    const chroma = Array.from({ length: 12 }, (_, p) => ((p * p * 7) % 11) / 11);
    const turned = chroma.map((_, p) => chroma[(p + 12 - 5) % 12]!);
    const plain = correlateProfiles(chroma);
    correlateProfiles(turned).forEach((value, key) => {
      expect(value).toBeCloseTo(plain[createKey(tonicOf(key) - 5, key < 12 ? 'major' : 'minor')]!, 12);
    });
  });
});

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
    expect(spans[0]).toMatchObject({ key: pitchNameOf(2), scale: 'minor', startSeconds: 0 });
  });

  it('is the given key where its relative is heard, and another where that is', () => {
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
