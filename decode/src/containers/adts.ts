/** AAC in ADTS (ISO/IEC 14496-3, annex 1.A): each packet has a header of seven bytes, or nine with a checksum. */

import { createAacDecoder } from '../codecs/aac.ts';
import { corrupt } from '../decode-error.ts';
import { type AudioStream, newHealth, type StreamHealth } from '../stream/audio-stream.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { streamPackets, untrimmed } from './packet-stream.ts';

/** Some hundred packets per read. */
const WINDOW_BYTES = 64 * 1024;
/** How far into the file the first packet may begin, to allow for padding after a tag. */
const LEAD_BYTES_MAX = 64 * 1024;

export async function openAdts(source: ByteSource): Promise<AudioStream> {
  const first = findHeader(source, 0, Math.min(source.byteSize, LEAD_BYTES_MAX));
  if (first === null) throw corrupt('No AAC audio could be found in the file.');
  const [, , third, fourth] = source.view(first, 4) as unknown as [number, number, number, number];
  const profile = third >> 6;
  const rateIndex = (third >> 2) & 15;
  const channelConfiguration = ((third & 1) << 2) | (fourth >> 6);
  // The two-byte AudioSpecificConfig with the same values as the header.
  const specificConfig = new Uint8Array([
    ((profile + 1) << 3) | (rateIndex >> 1),
    ((rateIndex & 1) << 7) | (channelConfiguration << 3),
  ]);
  const health = newHealth();
  return streamPackets({
    container: 'ADTS',
    decoder: await createAacDecoder(specificConfig),
    packets: readPackets(source, first, third, health),
    health,
    audioBytes: source.byteSize - first,
    window: () => untrimmed(null),
  });
}

function* readPackets(
  source: ByteSource,
  start: number,
  formatByte: number,
  health: StreamHealth,
): Generator<Uint8Array> {
  let position = start;
  while (position + 7 <= source.byteSize) {
    const header = source.view(position, 7);
    const packetBytes = packetBytesOf(header);
    // The profile and the sample rate may not change; bit 1 is private.
    if (packetBytes === null || (header[2]! & 0xfd) !== (formatByte & 0xfd)) {
      const next = findHeader(source, position + 1, source.byteSize);
      if (next === null) return;
      health.damagedPackets++;
      position = next;
      continue;
    }
    const packet = source.view(position, packetBytes);
    if (packet.length < packetBytes) {
      health.truncated = true;
      return;
    }
    yield packet.subarray(header[1]! & 1 ? 7 : 9);
    position += packetBytes;
  }
}

/** The position of the first header whose length leads to another header or to the end of the file. */
function findHeader(source: ByteSource, from: number, end: number): number | null {
  for (let start = from; start + 7 <= end; ) {
    const window = source.view(start, Math.min(WINDOW_BYTES, end - start));
    for (let i = 0; i + 7 <= window.length; i++) {
      if (window[i] !== 0xff) continue;
      const packetBytes = packetBytesOf(window.subarray(i, i + 7));
      if (packetBytes === null) continue;
      const next = source.view(start + i + packetBytes, 7);
      if (next.length === 0 || (next.length === 7 && packetBytesOf(next) !== null)) return start + i;
    }
    start += Math.max(1, window.length - 6);
  }
  return null;
}

/** Null if these seven bytes are not a header. */
function packetBytesOf(header: Uint8Array): number | null {
  const isHeader = header[0] === 0xff && (header[1]! & 0xf6) === 0xf0 && ((header[2]! >> 2) & 15) < 13;
  const packetBytes = ((header[3]! & 3) << 11) | (header[4]! << 3) | (header[5]! >> 5);
  return isHeader && packetBytes > 9 ? packetBytes : null;
}
