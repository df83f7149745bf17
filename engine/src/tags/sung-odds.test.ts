import { describe, expect, it } from 'vitest';
import type { KeptPatch } from './patch-keeper.ts';
import { rateSung } from './sung-odds.ts';
import type { TagListener } from './tag-listener.ts';

const TAGS = ['instrumental', 'male vocalists', 'Hip-Hop', 'jazz'];
const patchesOf = (count: number): KeptPatch[] =>
  Array.from({ length: count }, (_, k) => ({ startSeconds: 3 * k, samples: new Float32Array([0.1]) }));

/** The first tagger gives the patches these logits in turn; the other has no such tags. */
const listenerOf = (...logits: number[][]): TagListener => ({
  hear: (tagger, patches) =>
    patches.map(({ startSeconds }, k) => ({
      startSeconds,
      logits: tagger === 'msd' ? Float32Array.from(logits[k % logits.length]!) : new Float32Array(),
      hidden: new Float32Array(),
    })),
  tags: (tagger) => (tagger === 'msd' ? TAGS : []),
  models: () => [],
});

describe('the log odds that anybody sings', () => {
  // Mean logits of recordings: a sung pop song, a rap, a string quartet, a saxophone trio.
  it('are a weighted sum of four tags', () => {
    // Computed by hand: 9.3 - 2.07 instrumental + 2.86 male vocalists + 0.46 Hip-Hop - 0.28 jazz.
    expect(rateSung(listenerOf([-5.8, -4.4, -5.5, -6]), patchesOf(3))).toBeCloseTo(7.872, 3);
    expect(rateSung(listenerOf([-5.3, -4.9, -0.5, -6]), patchesOf(3))).toBeCloseTo(7.707, 3);
    expect(rateSung(listenerOf([-1.1, -4.7, -9, -4]), patchesOf(3))).toBeCloseTo(-4.885, 3);
    expect(rateSung(listenerOf([-3, -5.7, -8, 0.5]), patchesOf(3))).toBeCloseTo(-4.612, 3);
  });

  it('take the mean over the patches', () => {
    const [one, two, three] = [
      [-6, -4, -5, -6],
      [-3, -5, -8, -3],
      [-3, -3, -2, 0],
    ] as const;
    const mean = listenerOf([-4, -4, -5, -3]);
    expect(rateSung(listenerOf([...one], [...two], [...three]), patchesOf(3))).toBeCloseTo(
      rateSung(mean, patchesOf(3))!,
      5,
    );
  });

  it('are unknown without a patch that sounds', () => {
    const silence = { startSeconds: 0, samples: new Float32Array(1) };
    expect(rateSung(listenerOf([-3, -4, -5, -6]), [])).toBeNull();
    expect(rateSung(listenerOf([-3, -4, -5, -6]), [silence])).toBeNull();
  });
});
