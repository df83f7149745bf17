/**
 * Samples a stream of unknown length for the taggers: patches of three seconds, evenly spread over all of it, in bounded memory.
 *
 * At first every patch is kept. Whenever memory is full, every second one is dropped, and from then on half as many are kept: a song of three minutes
 * is kept whole, and of two hours a patch every 3.2 minutes. The result does not depend on how the stream is cut into blocks.
 */

/** What the larger tagger reads: 188 frames of 512 samples, 256 apart, at 16 kHz. */
export const PATCH_SECONDS = 3.024;

export type KeptPatch = { startSeconds: number; samples: Float32Array };

export type PatchKeeper = {
  push(samples: Float32Array): void;
  /** Whole patches, in order. */
  finish(): KeptPatch[];
};

/** Three minutes; 17 MB at the analysis rate. */
const KEPT_PATCHES_MAX = 64;

export function createPatchKeeper(rateHz: number): PatchKeeper {
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
    if (kept.length > KEPT_PATCHES_MAX) {
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
