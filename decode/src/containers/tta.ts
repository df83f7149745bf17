/** True Audio (TTA1): a header, a table of packet sizes, and the packets. The package that decodes it reads all three itself. */

import { adaptStreamDecoder } from '../codecs/elementary.ts';
import { integerRescaler } from '../codecs/integer-samples.ts';
import { corrupt } from '../decode-error.ts';
import type { AudioStream } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { streamBytes } from './byte-stream.ts';

const HEADER_BYTES = 22;
const CHECKSUM_BYTES = 4;
/** At one packet per second these are eleven days; their table takes 4 MB. */
const PACKETS_MAX = 1_000_000;

export async function openTta(source: ByteSource): Promise<AudioStream> {
  const header = source.view(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw corrupt('The TTA file ends inside its header.');
  const view = viewOf(header);
  const bitDepth = view.getUint16(8, true);
  // Every packet but the last holds 256/245 s.
  const packetSamples = Math.max(1, Math.floor((view.getUint32(10, true) * 256) / 245));
  const declaredSamples = view.getUint32(14, true);
  const { tableEnd, packetBytes } = readTable(source, Math.ceil(declaredSamples / packetSamples));
  const { decoder: createDecoder } = await import('@audio/decode-tta');
  const decoder = adaptStreamDecoder(
    createDecoder(),
    'TTA',
    'ttadec',
    packetSamples,
    integerRescaler(bitDepth),
  );
  const stream = streamBytes(source, 'TTA', decoder, declaredSamples);
  // The package does not report a file that ends before its last packet.
  stream.health.truncated = tableEnd + packetBytes > source.byteSize;
  return { ...stream, bitDepth, audioBytes: packetBytes };
}

/** Where the table of packet sizes ends in the file, and how many bytes its packets have in all. */
function readTable(source: ByteSource, packetCount: number): { tableEnd: number; packetBytes: number } {
  if (packetCount > PACKETS_MAX) throw corrupt('The TTA file declares more packets than there can be.');
  const table = source.view(HEADER_BYTES, packetCount * 4);
  const view = viewOf(table);
  let packetBytes = 0;
  for (let at = 0; at + 4 <= table.length; at += 4) packetBytes += view.getUint32(at, true);
  return { tableEnd: HEADER_BYTES + packetCount * 4 + CHECKSUM_BYTES, packetBytes };
}
