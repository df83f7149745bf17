/** One array per channel, all of the same length; channels in WAV order (L R C LFE Ls Rs …). */
export type Samples = Float32Array[];

/** An opened file: its declared properties, and its samples on demand. */
export type AudioStream = {
  container: string;
  codec: string;
  decoder: string;
  sampleRateHz: number;
  channelCount: number;
  bitDepth: number | null;
  /** From the header of the first packet, for files that do not declare their duration. */
  nominalBitRateBps: number | null;
  /** Declared size of the audio data, without tags and pictures; a truncated file has less. */
  audioBytes: number | null;
  /** Per channel, without encoder delay and padding; null if the file does not declare it. */
  declaredSamples: number | null;
  /** Blocks may be empty. */
  blocks: Iterable<Samples> | AsyncIterable<Samples>;
  /** Filled in while `blocks` is read. */
  health: StreamHealth;
};

export type StreamHealth = {
  decodedPackets: number;
  damagedPackets: number;
  truncated: boolean;
  /** How many samples, over all channels, the codec replaced by 0 because they were not finite or beyond ±8; null if it does not check. */
  silencedSamples: number | null;
};

export function newHealth(): StreamHealth {
  return { decodedPackets: 0, damagedPackets: 0, truncated: false, silencedSamples: null };
}

export function sampleCountOf(samples: Samples): number {
  return samples[0]?.length ?? 0;
}

/** Removes encoder delay and padding: samples at the start, and everything after the samples to keep. */
export class Trimmer {
  #skipSamples: number;
  #keepSamples: number;

  constructor(skipSamples: number, keepSamples: number | null) {
    this.#skipSamples = skipSamples;
    this.#keepSamples = keepSamples ?? Number.POSITIVE_INFINITY;
  }

  get isDone(): boolean {
    return this.#keepSamples <= 0;
  }

  trim(block: Samples): Samples {
    const count = sampleCountOf(block);
    const start = Math.min(this.#skipSamples, count);
    const end = Math.min(count, start + this.#keepSamples);
    this.#skipSamples -= start;
    this.#keepSamples -= end - start;
    return start === 0 && end === count ? block : block.map((channel) => channel.subarray(start, end));
  }
}

export function* trimBlocks(
  blocks: Iterable<Samples>,
  skipSamples: number,
  keepSamples: number | null,
): Generator<Samples> {
  const trimmer = new Trimmer(skipSamples, keepSamples);
  for (const block of blocks) {
    yield trimmer.trim(block);
    if (trimmer.isDone) return;
  }
}

/** Holds back the last `heldSamples` until the end of the stream, when `countPaddingSamples` tells how many of them are padding. */
export function* trimTail(
  blocks: Iterable<Samples>,
  heldSamples: number,
  countPaddingSamples: () => number,
): Generator<Samples> {
  const held: Samples[] = [];
  let count = 0;
  for (const block of blocks) {
    held.push(block);
    count += sampleCountOf(block);
    while (held.length > 1 && count - sampleCountOf(held[0]!) >= heldSamples) {
      count -= sampleCountOf(held[0]!);
      yield held.shift()!;
    }
  }
  yield* trimBlocks(held, 0, Math.max(0, count - Math.min(countPaddingSamples(), heldSamples)));
}

export function silence(channelCount: number, sampleCount: number): Samples {
  return Array.from({ length: channelCount }, () => new Float32Array(sampleCount));
}

/** By channel count. Vorbis and Opus put the centre between left and right, and the low-frequency channel last (Vorbis I, 4.3.9). */
const VORBIS_TO_WAV: Record<number, number[]> = {
  3: [0, 2, 1],
  5: [0, 2, 1, 3, 4],
  6: [0, 2, 1, 5, 3, 4],
  7: [0, 2, 1, 6, 5, 3, 4],
  8: [0, 2, 1, 7, 5, 6, 3, 4],
};

export function vorbisOrderToWav(samples: Samples): Samples {
  const order = VORBIS_TO_WAV[samples.length];
  return order ? order.map((index) => samples[index]!) : samples;
}
