/**
 * Which sound is kept for the taggers, when nobody knows how much there will be? Patches of three seconds, spread evenly over all of it, in memory
 * that does not grow.
 *
 * At first every patch is kept. When the room is full every second one goes, and from then on only every second one is kept, and so on: a song of
 * three minutes is kept whole, of two hours every third minute's beginning. How the stream was cut does not matter.
 */

/** What the larger tagger reads: 188 frames of 512 samples, 256 apart, at 16 kHz. */
export const PATCH_SECONDS = 3.024;

export type KeptPatch = { startSeconds: number; samples: Float32Array };

export type PatchKeeper = {
  push(samples: Float32Array): void;
  /** Whole patches, in order. */
  finish(): KeptPatch[];
};

/** Three minutes and 17 MB at the analysis rate. */
const PATCHES_MAX = 64;

export function createPatchKeeper(rateHz: number, patchesMax = PATCHES_MAX): PatchKeeper {
  const patchSamples = Math.round(PATCH_SECONDS * rateHz);
  let kept: { index: number; samples: Float32Array }[] = [];
  let keptStep = 1;
  let index = 0;
  let filledSamples = 0;
  let filling: Float32Array | null = null;

  const close = (): void => {
    if (filling !== null) kept.push({ index, samples: filling });
    index++;
    filledSamples = 0;
    filling = null;
    if (kept.length > patchesMax) {
      keptStep *= 2;
      kept = kept.filter((patch) => patch.index % keptStep === 0);
    }
  };

  return {
    push(samples) {
      for (let at = 0; at < samples.length; ) {
        const count = Math.min(samples.length - at, patchSamples - filledSamples);
        if (index % keptStep === 0) {
          filling ??= new Float32Array(patchSamples);
          filling.set(samples.subarray(at, at + count), filledSamples);
        }
        filledSamples += count;
        at += count;
        if (filledSamples === patchSamples) close();
      }
    },
    finish: () =>
      kept.map(({ index, samples }) => ({ startSeconds: (index * patchSamples) / rateHz, samples })),
  };
}
