/** Connects a container that gives packets with a codec that decodes packets. */

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

/** Chosen: one block for a little less than a second of AAC, instead of one per 1,024 samples. */
const BATCH_PACKETS = 32;
/** Chosen: bounds what is decoded at once, because packets of lossless audio, and chunks of a whole file, are large. */
const BATCH_BYTES = 128 * 1024;
/** Chosen: some codecs know their format only with their first samples. They get this many batches for it. */
const PRIMING_BATCHES_MAX = 32;
/** Chosen: two packets of Apple Lossless, which has the longest in use. An encoder pads to the end of a packet and may add one more. */
const PADDING_SAMPLES_MAX = 2 * 4096;

/**
 * Which decoded samples belong to the recording: `keepSamples` after the first `skipSamples`; all the rest if it is null. A negative
 * `skipSamples` stands for samples that the decoder has left out at the start: silence takes their place, so that times stay true.
 */
export type PresentationWindow = {
  skipSamples: number;
  keepSamples: number | null;
  /** What is beyond this many of those is padding, unless it is more than an encoder adds. Null if the container has no such count. */
  unpaddedSamples?: number | null;
  declaredSamples: number | null;
};

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
  const { skipSamples, keepSamples, unpaddedSamples = null, declaredSamples } = options.window();
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

/** A count that leaves out more than padding comes from a damaged table or scale, and all samples are kept. */
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
  let bytes = 0;
  for (const packet of packets) {
    batch.push(packet);
    bytes += packet.length;
    if (batch.length >= BATCH_PACKETS || bytes >= BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function* concatenate(first: Samples[], rest: Iterable<Samples>): Generator<Samples> {
  yield* first;
  yield* rest;
}
