/** AIFF and AIFF-C: big-endian chunks, one of them the format (COMM), one the samples (SSND). */

import { isPossibleRate, isReadableEncoding, type PcmEncoding } from '../codecs/pcm.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import type { AudioStream } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { openPcm, type Region } from './pcm-region.ts';
import { QUICKTIME_PCM } from './quicktime-pcm.ts';

/** As for WAV: bounds the time for a crafted file of nothing but chunk headers. */
const CHUNKS_MAX = 10_000;
/** The fields of a COMM chunk end at byte 22. The name of the compression may follow and is not used. */
const COMMON_BYTES_MAX = 64;
/** SoX cannot go back and fill in the size in a pipe, so it declares as many whole samples as fit into this many bytes. */
const SOX_PIPE_BYTES = 0x7f00_0000;

/** The compression types of AIFF-C: those of QuickTime, and some of its own. */
const ENCODINGS: Record<string, Partial<PcmEncoding>> = {
  ...QUICKTIME_PCM,
  NONE: { kind: 'signed', bigEndian: true },
  'raw ': { kind: 'unsigned', bytesPerSample: 1 },
  '42ni': { kind: 'signed', bytesPerSample: 3, bigEndian: false },
  '23ni': { kind: 'signed', bytesPerSample: 4, bigEndian: false },
  FL32: QUICKTIME_PCM.fl32!,
  FL64: QUICKTIME_PCM.fl64!,
  ALAW: QUICKTIME_PCM.alaw!,
  ULAW: QUICKTIME_PCM.ulaw!,
};

type Common = {
  channelCount: number;
  sampleCount: number;
  sampleRateHz: number;
  bitDepth: number;
  encoding: PcmEncoding;
};

export async function openAiff(source: ByteSource): Promise<AudioStream> {
  const { common, start, byteLength } = findChunks(source);
  const { encoding, sampleRateHz, channelCount, sampleCount, bitDepth } = common;
  const container = asciiOf(source.view(8, 4)) === 'AIFC' ? 'AIFF-C' : 'AIFF';
  const strideBytes = encoding.bytesPerSample * channelCount;
  const restBytes = source.byteSize - start;
  const isPipe = byteLength === SOX_PIPE_BYTES - (SOX_PIPE_BYTES % strideBytes) && byteLength > restBytes;
  // FFmpeg and others leave 0 as the size of the last chunk in a pipe.
  const isUnknown = byteLength === 0 || isPipe;
  const declaredBytes = isUnknown ? restBytes : Math.min(byteLength, sampleCount * strideBytes || byteLength);
  return openPcm(
    source,
    { start, byteLength: declaredBytes },
    { container, encoding, sampleRateHz, channelCount, bitDepth, strideBytes },
  );
}

function findChunks(source: ByteSource): { common: Common } & Region {
  let common: Common | null = null;
  let sound: Region | null = null;
  let position = 12;
  for (let count = 0; count < CHUNKS_MAX && position + 8 <= source.byteSize && !(common && sound); count++) {
    const id = asciiOf(source.view(position, 4));
    const byteLength = viewOf(source.view(position, 8)).getUint32(4);
    const bodyStart = position + 8;
    if (id === 'COMM') common = readCommon(source.view(bodyStart, Math.min(byteLength, COMMON_BYTES_MAX)));
    if (id === 'SSND' && bodyStart + 8 <= source.byteSize) {
      const offsetBytes = viewOf(source.view(bodyStart, 8)).getUint32(0);
      sound = {
        start: bodyStart + 8 + offsetBytes,
        byteLength: Math.max(0, byteLength - 8 - offsetBytes),
      };
    }
    position = bodyStart + byteLength + (byteLength % 2);
  }
  if (!common) throw corrupt('The AIFF file does not say how its samples are stored.');
  if (!sound) throw corrupt('The AIFF file holds no samples: its sound chunk is missing.');
  return { common, ...sound };
}

function readCommon(body: Uint8Array): Common {
  if (body.length < 18) throw corrupt('The AIFF file does not say how its samples are stored.');
  const view = viewOf(body);
  const channelCount = view.getUint16(0);
  const bitDepth = view.getUint16(6);
  const sampleRateHz = readExtended(view, 8);
  const name = body.length >= 22 ? asciiOf(body.subarray(18, 22)) : 'NONE';
  const known = ENCODINGS[name];
  if (!known)
    throw unsupported(`AIFF-C with compression "${name}" is not supported; save it as AIFF, WAV or FLAC.`);
  const encoding = {
    kind: known.kind!,
    bytesPerSample: known.bytesPerSample ?? Math.ceil(bitDepth / 8),
    bigEndian: known.bigEndian ?? true,
  };
  if (channelCount === 0 || !isPossibleRate(sampleRateHz) || !isReadableEncoding(encoding)) {
    throw corrupt('The AIFF file declares channels, a sample rate or a sample size that cannot be.');
  }
  return { channelCount, sampleCount: view.getUint32(2), sampleRateHz, bitDepth, encoding };
}

/** IEEE 754 80-bit extended: a 15-bit exponent and a 64-bit mantissa with its leading one written out. */
function readExtended(view: DataView, at: number): number {
  const exponent = (view.getUint16(at) & 0x7fff) - 16_383;
  return (view.getUint32(at + 2) * 2 ** 32 + view.getUint32(at + 6)) * 2 ** (exponent - 63);
}
