import { describe, expect, it } from 'vitest';
import { groupSegments } from './grouping.ts';
import { makeBand } from './test-songs.ts';

/** Groups segments. Bars at the same place of two segments have the similarity `content` gives for the two; other pairs of bars are dissimilar. */
function group(
  bounds: readonly number[],
  content: (a: number, b: number) => number,
  texture: (a: number, b: number) => number = () => 0,
) {
  const barCount = bounds.at(-1)!;
  const segmentOf = (bar: number): number => bounds.findLastIndex((bound) => bound <= bar);
  const place = (bar: number): number => bar - bounds[segmentOf(bar)]!;
  return groupSegments(bounds, {
    content: makeBand(barCount, (i, j) =>
      place(i) === place(j) ? content(segmentOf(i), segmentOf(j)) : -0.5,
    ),
    texture: makeBand(barCount, (i, j) => texture(segmentOf(i), segmentOf(j))),
  }).map(({ startBar, endBar, group }) => [startBar, endBar, group]);
}
const between =
  (pairs: Record<string, number>, other = 0) =>
  (a: number, b: number) =>
    pairs[`${Math.min(a, b)}${Math.max(a, b)}`] ?? other;

describe('groups', () => {
  it('are similar segments, numbered by first appearance', () => {
    expect(group([0, 8, 16, 24, 32], between({ '02': 0.9, '13': 0.8 }))).toEqual([
      [0, 8, 0],
      [8, 16, 1],
      [16, 24, 0],
      [24, 32, 1],
    ]);
  });

  it.each([
    [0.46, [0, 1, 0]],
    [0.44, [0, 1, 2]],
  ])('need a similarity of .45: %f', (similarity, expected) => {
    expect(group([0, 8, 16, 24], between({ '02': similarity })).map(([, , number]) => number)).toEqual(
      expected,
    );
  });

  it('absorb a segment by its mean similarity to all of theirs, the most similar first', () => {
    // The last is similar to one of the two that merge first: 0.3 on average.
    const chain = between({ '02': 0.9, '24': 0.6 });
    expect(group([0, 8, 16, 24, 32, 40], chain).map(([, , number]) => number)).toEqual([0, 1, 0, 2, 3]);
    const close = between({ '02': 0.9, '24': 0.6, '04': 0.4 });
    expect(group([0, 8, 16, 24, 32, 40], close).map(([, , number]) => number)).toEqual([0, 1, 0, 2, 0]);
  });

  it('form one section where their segments are neighbours', () => {
    expect(group([0, 8, 16, 24], between({ '01': 0.9 }))).toEqual([
      [0, 16, 0],
      [16, 24, 1],
    ]);
  });

  it('contain segments that are similar when shifted, if three quarters overlap', () => {
    const shifted = (shift: number) => ({
      // Bar i of the first segment is bar i + shift of the third.
      content: makeBand(24, (i, j) => (i < 8 && j - i === 16 + shift ? 0.9 : -0.5)),
      texture: makeBand(24, () => 0),
    });
    const numbers = (shift: number) =>
      groupSegments([0, 8, 16, 24], shifted(shift)).map(({ group }) => group);
    // An overlap of eight, seven or six of the eight bars is enough; five are not.
    expect([0, 1, 2, -2, 3, -3].map((shift) => numbers(shift)[2])).toEqual([0, 0, 0, 0, 2, 2]);
  });

  it.each([
    [0.76, [0, 1, 0]],
    [0.74, [0, 1, 2]],
  ])('compare single bars by texture: %f', (similarity, expected) => {
    expect(
      group([0, 1, 9, 10], () => -1, between({ '02': similarity }, -1)).map(([, , number]) => number),
    ).toEqual(expected);
  });

  it('compare a single bar with a longer segment by texture', () => {
    const texture = between({ '13': 0.9 }, -1);
    expect(group([0, 8, 9, 17, 25], () => -1, texture).map(([, , number]) => number)).toEqual([0, 1, 2, 1]);
  });

  it('compare segments of two bars by content', () => {
    const numbers = (content: number, texture: number) =>
      group([0, 2, 10, 12], between({ '02': content }, -1), between({ '02': texture }, -1)).map(
        ([, , number]) => number,
      );
    expect([numbers(0.9, -1), numbers(-1, 0.9)]).toEqual([
      [0, 1, 0],
      [0, 1, 2],
    ]);
  });

  it('do not depend on the bars after a segment', () => {
    // The segments after the two are dissimilar.
    const numbers = group([0, 8, 16, 24, 32], between({ '02': 0.46, '13': -1 }, -1));
    expect(numbers.map(([, , number]) => number)).toEqual([0, 1, 0, 2]);
  });

  it('link only segments near enough to have been compared', () => {
    const similarity = { content: makeBand(40, () => 0.9, 12), texture: makeBand(40, () => -1, 12) };
    expect(groupSegments([0, 8, 16, 24, 32, 40], similarity).map(({ group }) => group)).toEqual([0]);
    const apart = {
      content: makeBand(40, (i, j) => (Math.floor(i / 8) % 2 === Math.floor(j / 8) % 2 ? 0.9 : 0), 12),
      texture: makeBand(40, () => -1, 12),
    };
    expect(groupSegments([0, 8, 16, 24, 32, 40], apart).map(({ group }) => group)).toEqual([0, 1, 2, 3, 4]);
    // The third starts twelve bars after the first, one more than the largest lag of the band.
    const beyond = { content: makeBand(20, () => -0.5, 12), texture: makeBand(20, () => -1, 12) };
    expect(groupSegments([0, 8, 12, 20], beyond).map(({ group }) => group)).toEqual([0, 1, 2]);
  });

  it('link segments of which enough bars were compared, across a single bar too far away', () => {
    // Bars 2 to 7 recur at bar 13, eleven bars later, the largest lag of the band; bar 12 is twelve bars after bar 0.
    const content = makeBand(21, (i, j) => (j - i === 11 && i >= 2 && i < 8 ? 0.9 : -0.5), 12);
    const similarity = { content, texture: makeBand(21, () => -1, 12) };
    expect(groupSegments([0, 8, 12, 13, 21], similarity).map(({ group }) => group)).toEqual([0, 1, 2, 0]);
  });
});

describe('a segment that continues its neighbour', () => {
  const lengths = (bounds: readonly number[], content: Record<string, number>, texture: number) =>
    group(bounds, between(content), () => texture).map(([start, end]) => end! - start!);

  it.each([
    // A similarity of texture across the boundary above .25 joins the two.
    ['played alike', [0, 8, 16], {}, 0.26, [16]],
    ['played differently', [0, 8, 16], {}, 0.24, [8, 8]],
    // Segments of up to four bars gain .05.
    ['short', [0, 8, 12], {}, 0.21, [12]],
    ['not quite short', [0, 8, 13], {}, 0.21, [8, 5]],
    // More than 24 bars together lose .2.
    ['long', [0, 16, 25], {}, 0.44, [16, 9]],
    ['not quite long', [0, 16, 24], {}, 0.44, [24]],
    ['long, but very similar', [0, 16, 25], {}, 0.46, [25]],
    // One that occurs again loses .1; two that both occur again are never joined.
    ['one of which occurs again', [0, 8, 16, 24], { '02': 0.9 }, 0.34, [8, 8, 8]],
    ['one of which occurs again, but played alike', [0, 6, 12, 18], { '02': 0.9 }, 0.36, [18]],
    ['both of which occur again', [0, 8, 16, 24, 32], { '02': 0.9, '13': 0.9 }, 0.9, [8, 8, 8, 8]],
  ])('%s', (_name, bounds, content, texture, expected) => {
    expect(lengths(bounds, content, texture)).toEqual(expected);
  });

  it('joins the group of the one that occurs again', () => {
    // The second, which occurs nowhere else, continues the first but not the third.
    const texture = (a: number, b: number) => (a + b === 1 ? 0.9 : 0);
    expect(group([0, 8, 16, 24, 32], between({ '03': 0.9 }), texture)).toEqual([
      [0, 16, 0],
      [16, 24, 1],
      [24, 32, 0],
    ]);
    const reversed = (a: number, b: number) => (a + b === 5 ? 0.9 : 0);
    expect(group([0, 8, 16, 24, 32], between({ '03': 0.9 }), reversed)).toEqual([
      [0, 8, 0],
      [8, 16, 1],
      [16, 32, 0],
    ]);
  });

  it('is judged by eight bars on either side of the boundary', () => {
    // Of each twelve bars, the four furthest from the boundary are dissimilar to all others.
    const texture = makeBand(24, (i, j) => (i < 4 || j >= 20 ? -1 : 0.3));
    const content = makeBand(24, () => 0);
    expect(groupSegments([0, 12, 24], { texture, content })).toHaveLength(1);
    // The eighth bar on either side lowers the mean of 64 pairs from .26 to .22.
    const eighth = makeBand(24, (i, j) => (i === 4 || j === 19 ? 0.1 : 0.26));
    expect(groupSegments([0, 12, 24], { texture: eighth, content })).toHaveLength(2);
  });

  it('joins the most similar pair first', () => {
    const texture = (a: number, b: number) => (a + b === 1 ? 0.3 : a + b === 3 ? 0.5 : 0);
    // The second and third join into 17 bars; with the first that would be 25, which takes a higher similarity.
    expect(group([0, 8, 16, 25], () => 0, texture)).toEqual([
      [0, 8, 0],
      [8, 25, 1],
    ]);
    const firstIsMostSimilar = (a: number, b: number) => (a + b === 1 ? 0.5 : a + b === 3 ? 0.3 : 0);
    expect(group([0, 9, 17, 25], () => 0, firstIsMostSimilar)).toEqual([
      [0, 17, 0],
      [17, 25, 1],
    ]);
  });

  it('gets the bonus of a short segment on either side of the boundary', () => {
    const texture = (a: number, b: number) => (a + b === 3 ? 0.21 : 0);
    expect(group([0, 8, 12, 20], () => 0, texture)).toEqual([
      [0, 8, 0],
      [8, 20, 1],
    ]);
  });
});
