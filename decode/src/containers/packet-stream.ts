/** Connects a container that yields packets to a codec that decodes packets. */

import type { PacketDecoder } from '../codecs/packet-decoder.ts';
import { corrupt } from '../decode-error.ts';
import {
  type AudioStream,
  type Samples,
  type StreamHealth,
  sampleCountOf,
  silence,
  trimBlocks,
  trimTail,
} from '../stream/audio-stream.ts';

/** One block for 0.7 s of AAC at 48 kHz, so that the cost of a block is not paid per packet of 1,024 samples. */
const BATCH_PACKETS = 32;
/** Bounds the samples decoded at once where packets are large, as in lossless audio or chunks of a whole file. */
const BATCH_BYTES = 128 * 1024;
/** Some codecs report their format only with their first samples. After 4 MiB or 1,024 packets without any, there is nothing to decode. */
const PRIMING_BATCHES_MAX = 32;
/** Two packets of Apple Lossless, the longest in use: an encoder pads its last packet and may add one more. */
const PADDING_SAMPLES_MAX = 2 * 4096;

/**
 * Which decoded samples belong to the recording: `keepSamples` after the first `skipSamples`, or all after them if null. A negative
 * `skipSamples` counts samples that the decoder left out at the start: silence replaces them, so that times stay true.
 */
export type PresentationWindow = {
  skipSamples: number;
  keepSamples: number | null;
  /** Samples after this many are padding, unless they are more than an encoder adds. Null if the container has no such count. */
  unpaddedSamples: number | null;
  declaredSamples: number | null;
};

/** Everything that is decoded, for containers that declare neither encoder delay nor padding. */
export function untrimmed(declaredSamples: number | null): PresentationWindow {
  return { skipSamples: 0, keepSamples: null, unpaddedSamples: null, declaredSamples };
}

type PacketStreamOptions = {
  container: string;
  decoder: PacketDecoder;
  packets: Iterable<Uint8Array>;
  health: StreamHealth;
  audioBytes: number | null;
  /** Called once the decoder knows its format. */
  window: () => PresentationWindow;
};

export function streamPackets(options: PacketStreamOptions): AudioStream & { blocks: Iterable<Samples> } {
  const { decoder, health } = options;
  const batches = decodeBatches(options);
  const primed: Samples[] = [];
  for (let count = 0; count < PRIMING_BATCHES_MAX; count++) {
    const { value } = batches.next();
    if (!value) break;
    primed.push(value);
    if (sampleCountOf(value) > 0) break;
  }
  if (decoder.channelCount === 0) throw corrupt('None of the audio in the file could be decoded.');
  const { skipSamples, keepSamples, unpaddedSamples, declaredSamples } = options.window();
  const kept = trimBlocks(
    concatenate([silence(decoder.channelCount, Math.max(0, -skipSamples)), ...primed], batches),
    Math.max(0, skipSamples),
    keepSamples,
  );
  return {
    container: options.container,
    codec: decoder.codec,
    decoder: decoder.decoder,
    sampleRateHz: decoder.sampleRateHz,
    channelCount: decoder.channelCount,
    bitDepth: decoder.bitDepth,
    nominalBitRateBps: null,
    audioBytes: options.audioBytes,
    declaredSamples,
    blocks: unpaddedSamples === null ? kept : trimPadding(kept, unpaddedSamples),
    health,
  };
}

/** A count that would remove more than padding comes from a damaged table or scale, and all samples are kept. */
function* trimPadding(blocks: Iterable<Samples>, unpaddedSamples: number): Generator<Samples> {
  let sampleCount = 0;
  function* counted(): Generator<Samples> {
    for (const block of blocks) {
      sampleCount += sampleCountOf(block);
      yield block;
    }
  }
  yield* trimTail(counted(), PADDING_SAMPLES_MAX, () => {
    const paddingSamples = sampleCount - unpaddedSamples;
    return paddingSamples >= 0 && paddingSamples <= PADDING_SAMPLES_MAX ? paddingSamples : 0;
  });
}

function* decodeBatches({ packets, decoder, health }: PacketStreamOptions): Generator<Samples, void> {
  for (const batch of batchPackets(packets)) {
    const { decodedPackets, damagedPackets } = decoder;
    const samples = decoder.decode(batch);
    health.decodedPackets += decoder.decodedPackets - decodedPackets;
    health.damagedPackets += decoder.damagedPackets - damagedPackets;
    yield samples;
  }
  if (decoder.flush) yield decoder.flush();
}

function* batchPackets(packets: Iterable<Uint8Array>): Generator<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let batchBytes = 0;
  for (const packet of packets) {
    batch.push(packet);
    batchBytes += packet.length;
    if (batch.length >= BATCH_PACKETS || batchBytes >= BATCH_BYTES) {
      yield batch;
      batch = [];
      batchBytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function* concatenate(first: Samples[], rest: Iterable<Samples>): Generator<Samples> {
  yield* first;
  yield* rest;
}
