/**
 * Keeps stretches of three seconds of a stream for later, spread evenly over all of it, in memory that does not grow.
 *
 * At first every stretch is kept. When the room is full every second one goes, and from then on only every second one is kept, and so on: a song of
 * three minutes is kept whole, of two hours every third minute's beginning. How the stream was cut does not matter.
 */

export const PATCH_SECONDS = 3.024;

export type KeptPatch = { startSeconds: number; samples: Float32Array };

export type PatchKeeper = {
  push(samples: Float32Array): void;
  /** Whole stretches, in order. */
  finish(): KeptPatch[];
};

const PATCHES_MAX = 64;

export function createPatchKeeper(rateHz: number, patchesMax = PATCHES_MAX): PatchKeeper {
  const length = Math.round(PATCH_SECONDS * rateHz);
  let kept: { index: number; samples: Float32Array }[] = [];
  let every = 1;
  let index = 0;
  let filled = 0;
  let filling: Float32Array | null = null;

  const close = (): void => {
    if (filling !== null) kept.push({ index, samples: filling });
    index++;
    filled = 0;
    filling = null;
    if (kept.length > patchesMax) {
      every *= 2;
      kept = kept.filter((patch) => patch.index % every === 0);
    }
  };

  return {
    push(samples) {
      for (let at = 0; at < samples.length; ) {
        const count = Math.min(samples.length - at, length - filled);
        if (index % every === 0) {
          filling ??= new Float32Array(length);
          filling.set(samples.subarray(at, at + count), filled);
        }
        filled += count;
        at += count;
        if (filled === length) close();
      }
    },
    finish: () => kept.map(({ index, samples }) => ({ startSeconds: (index * length) / rateHz, samples })),
  };
}
