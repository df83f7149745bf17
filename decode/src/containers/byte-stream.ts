/** Codecs that find their own packets: they are given the bytes of the file in chunks of any size. */

import { createElementaryDecoder } from '../codecs/elementary.ts';
import type { PacketDecoder } from '../codecs/packet-decoder.ts';
import { type AudioStream, newHealth } from '../stream/audio-stream.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { streamPackets, untrimmed } from './packet-stream.ts';

/** A second of AC-3 at 448 kbit/s, and a third of one of DTS at 1.5 Mbit/s. */
const CHUNK_BYTES = 64 * 1024;

export async function openAc3(source: ByteSource): Promise<AudioStream> {
  return streamBytes(source, 'AC-3', await createElementaryDecoder('ac3'), null);
}

export async function openDts(source: ByteSource): Promise<AudioStream> {
  return streamBytes(source, 'DTS', await createElementaryDecoder('dts'), null);
}

export function streamBytes(
  source: ByteSource,
  container: string,
  decoder: PacketDecoder,
  declaredSamples: number | null,
): AudioStream {
  return streamPackets({
    container,
    decoder,
    packets: chunksOf(source),
    health: newHealth(),
    audioBytes: source.byteSize,
    window: () => untrimmed(declaredSamples),
  });
}

function* chunksOf(source: ByteSource): Generator<Uint8Array> {
  for (let position = 0; position < source.byteSize; position += CHUNK_BYTES) {
    yield source.view(position, CHUNK_BYTES);
  }
}
