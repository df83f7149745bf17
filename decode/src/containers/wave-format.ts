/** How a WAV file stores its samples: the WAVEFORMATEX of its `fmt ` chunk. */

import { isReadableEncoding, type PcmEncoding } from '../codecs/pcm.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import { viewOf } from '../stream/binary.ts';

export type WaveFormat = {
  tag: number;
  channelCount: number;
  sampleRateHz: number;
  blockAlignBytes: number;
  bitDepth: number;
  bigEndian: boolean;
  /** Bytes after the fixed part, without the extensible header. */
  extra: Uint8Array;
};

/** Format tags, as Microsoft registers them (RFC 2361). */
export const MICROSOFT_ADPCM = 0x2;
export const IMA_ADPCM = 0x11;
export const MPEG_LAYER_1_OR_2 = 0x50;
export const MPEG_LAYER_3 = 0x55;
const PCM = 0x1;
const EXTENSIBLE = 0xfffe;
const PCM_KINDS: Record<number, PcmEncoding['kind']> = { [PCM]: 'signed', 3: 'float', 6: 'alaw', 7: 'mulaw' };

export function parseWaveFormat(bytes: Uint8Array, bigEndian: boolean): WaveFormat {
  if (bytes.length < 14) throw corrupt('The WAV file does not say how its samples are stored.');
  const view = viewOf(bytes);
  const littleEndian = !bigEndian;
  let tag = view.getUint16(0, littleEndian);
  let extra = bytes.subarray(18);
  if (tag === EXTENSIBLE && bytes.length >= 40) {
    // The actual format tag is the first field of the sub-format GUID. In RIFX, SoX swaps only the first half of that field.
    const field = view.getUint32(24, littleEndian);
    tag = field & 0xffff || (bigEndian ? field >>> 16 : 0);
    extra = bytes.subarray(40);
  }
  const format = {
    tag,
    channelCount: view.getUint16(2, littleEndian),
    sampleRateHz: view.getUint32(4, littleEndian),
    blockAlignBytes: view.getUint16(12, littleEndian),
    bitDepth: bytes.length >= 16 ? view.getUint16(14, littleEndian) : 8,
    bigEndian,
    extra,
  };
  if (format.channelCount === 0 || format.sampleRateHz === 0) {
    throw corrupt('The WAV file declares no channels or no sample rate.');
  }
  return format;
}

export function pcmEncodingOf(format: WaveFormat): PcmEncoding {
  const { tag, bitDepth, blockAlignBytes, channelCount, bigEndian } = format;
  // 24 valid bits stored in 32 are the upper ones, so only the stored width matters.
  const fromAlign = blockAlignBytes % channelCount === 0 ? blockAlignBytes / channelCount : 0;
  const bytesPerSample = fromAlign >= bitDepth / 8 ? fromAlign : Math.ceil(bitDepth / 8);
  const kind = tag === PCM && bytesPerSample === 1 ? 'unsigned' : PCM_KINDS[tag];
  if (!kind) {
    throw unsupported(
      `WAV with format tag 0x${tag.toString(16)} is not supported; save it as PCM, FLAC or MP3.`,
    );
  }
  const encoding = { kind, bytesPerSample, bigEndian };
  if (bitDepth === 0 || !isReadableEncoding(encoding)) {
    throw corrupt(`The WAV file declares samples of ${bitDepth} bits, which do not exist.`);
  }
  return encoding;
}
