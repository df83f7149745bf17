/** Sun/NeXT AU: a header of 24 bytes, then samples. */

import { PCM_CHANNELS_MAX, type PcmEncoding } from '../codecs/pcm.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import type { AudioStream } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { openPcm } from './pcm-region.ts';

/** By the encoding code of the header. */
const ENCODINGS: Record<number, [kind: PcmEncoding['kind'], bytesPerSample: number]> = {
  1: ['mulaw', 1],
  2: ['signed', 1],
  3: ['signed', 2],
  4: ['signed', 3],
  5: ['signed', 4],
  6: ['float', 4],
  7: ['float', 8],
  27: ['alaw', 1],
};
const HEADER_BYTES = 24;
const UNKNOWN_BYTES = 0xffff_ffff;

export async function openAu(source: ByteSource): Promise<AudioStream> {
  const header = source.view(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw corrupt('The AU file ends inside its header.');
  const view = viewOf(header);
  const [dataStart, dataBytes, code, sampleRateHz, channelCount] = [4, 8, 12, 16, 20].map((at) =>
    view.getUint32(at),
  ) as [number, number, number, number, number];
  const known = ENCODINGS[code];
  if (!known) throw unsupported(`AU with encoding ${code} is not supported; save it as WAV or FLAC.`);
  if (channelCount === 0 || channelCount > PCM_CHANNELS_MAX || sampleRateHz === 0) {
    throw corrupt('The AU file declares channels or a sample rate that cannot be.');
  }
  if (dataStart < HEADER_BYTES || dataStart > source.byteSize) {
    throw corrupt('The AU file declares that its samples begin where they cannot.');
  }
  const [kind, bytesPerSample] = known;
  const encoding = { kind, bytesPerSample, bigEndian: true };
  const byteLength = dataBytes === UNKNOWN_BYTES ? source.byteSize - dataStart : dataBytes;
  return openPcm(
    source,
    { start: dataStart, byteLength },
    {
      container: 'AU',
      encoding,
      sampleRateHz,
      channelCount,
      bitDepth: bytesPerSample * 8,
      strideBytes: bytesPerSample * channelCount,
    },
  );
}
