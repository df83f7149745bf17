/** Sun/NeXT AU: 24 bytes of header and samples. */

import { deinterleave, type PcmEncoding, pcmCodecName } from '../codecs/pcm.ts';
import { type AudioStream, corrupt, newHealth, unsupported } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { readPcmBlocks } from './pcm-region.ts';

const ENCODINGS: Record<number, [PcmEncoding['kind'], number]> = {
  1: ['mulaw', 1],
  2: ['signed', 1],
  3: ['signed', 2],
  4: ['signed', 3],
  5: ['signed', 4],
  6: ['float', 4],
  7: ['float', 8],
  27: ['alaw', 1],
};
const UNKNOWN_SIZE = 0xffff_ffff;

export async function openAu(source: ByteSource): Promise<AudioStream> {
  const header = source.view(0, 24);
  if (header.length < 24) throw corrupt('The AU file ends inside its header.');
  const view = viewOf(header);
  const [start, size, code, sampleRateHz, channelCount] = [4, 8, 12, 16, 20].map((at) =>
    view.getUint32(at),
  ) as [number, number, number, number, number];
  const known = ENCODINGS[code];
  if (!known) throw unsupported(`AU with encoding ${code} is not supported; save it as WAV or FLAC.`);
  if (channelCount === 0 || channelCount > 256 || sampleRateHz === 0 || start < 24) {
    throw corrupt('The AU file declares channels or a sample rate that cannot be.');
  }
  const [kind, bytesPerSample] = known;
  const encoding = { kind, bytesPerSample, bigEndian: true };
  const strideBytes = bytesPerSample * channelCount;
  const declaredSize = size === UNKNOWN_SIZE ? source.byteSize - start : size;
  const end = Math.min(start + declaredSize, source.byteSize);
  const health = newHealth();
  health.truncated = start + declaredSize > source.byteSize;
  return {
    container: 'AU',
    codec: pcmCodecName(encoding),
    decoder: 'earshot-pcm',
    sampleRateHz,
    channelCount,
    bitDepth: bytesPerSample * 8,
    audioBytes: end - start,
    declaredSamples: Math.floor(declaredSize / strideBytes),
    blocks: readPcmBlocks(source, { start, end }, strideBytes, (bytes) =>
      deinterleave(bytes, encoding, channelCount),
    ),
    health,
  };
}
