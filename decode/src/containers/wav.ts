/**
 * RIFF/WAVE, big-endian as RIFX, its 64-bit forms RF64 and BW64 (EBU Tech 3306), and Sony Wave64. All are chunks around a
 * WAVEFORMATEX and a run of samples; only the width of the sizes and the order of the bytes differ.
 */

import { deinterleave, isReadableEncoding, type PcmEncoding, pcmCodecName } from '../codecs/pcm.ts';
import { type AudioStream, corrupt, newHealth, unsupported } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { sliceSource } from '../stream/file-bytes.ts';
import { openAdpcm } from './adpcm-wav.ts';
import { readPcmBlocks } from './pcm-region.ts';

/** Producers write a few dozen; a file of nothing but chunk headers is an attack. */
const CHUNKS_MAX = 10_000;
const UNKNOWN_SIZE = 0xffff_ffff;

type Chunk = { id: string; start: number; size: number };
type WaveChunks = { format: Uint8Array; data: Chunk };

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

export async function openWav(source: ByteSource): Promise<AudioStream> {
  const magic = asciiOf(source.view(0, 4));
  const chunks = magic === 'riff' ? findWave64Chunks(source) : findRiffChunks(source, magic);
  const format = parseWaveFormat(chunks.format, magic === 'RIFX');
  const container = magic === 'riff' ? 'Wave64' : magic === 'RIFF' ? 'WAV' : magic;
  const { start, size } = chunks.data;
  const region = { start, end: Math.min(start + size, source.byteSize) };
  const truncated = start + size > source.byteSize;

  if (format.tag === 0x55 || format.tag === 0x50) {
    const { openMpegAudio } = await import('./mpeg-audio.ts');
    return { ...(await openMpegAudio(sliceSource(source, region.start, region.end))), container };
  }
  if (!format.bigEndian && (format.tag === 2 || format.tag === 0x11))
    return openAdpcm(source, region, format, container, truncated);

  const encoding = pcmEncodingOf(format);
  const strideBytes = Math.max(format.blockAlignBytes, encoding.bytesPerSample * format.channelCount);
  const health = newHealth();
  health.truncated = truncated;
  return {
    container,
    codec: pcmCodecName(encoding),
    decoder: 'earshot-pcm',
    sampleRateHz: format.sampleRateHz,
    channelCount: format.channelCount,
    bitDepth: format.bitDepth,
    audioBytes: size,
    declaredSamples: Math.floor(size / strideBytes),
    blocks: readPcmBlocks(source, region, strideBytes, (bytes) =>
      deinterleave(bytes, encoding, format.channelCount, strideBytes),
    ),
    health,
  };
}

function findRiffChunks(source: ByteSource, magic: string): WaveChunks {
  let format: Uint8Array | null = null;
  let sizeOf64: number | null = null;
  let position = 12;
  for (let count = 0; count < CHUNKS_MAX && position + 8 <= source.byteSize; count++) {
    const header = viewOf(source.view(position, 8));
    const chunk = {
      id: asciiOf(source.view(position, 4)),
      start: position + 8,
      size: header.getUint32(4, magic !== 'RIFX'),
    };
    if (chunk.id === 'ds64' && chunk.size >= 24) {
      sizeOf64 = Number(viewOf(source.view(chunk.start, 24)).getBigUint64(8, true));
    } else if (chunk.id === 'fmt ') {
      format = source.view(chunk.start, Math.min(chunk.size, 4096));
    } else if (chunk.id === 'data') {
      if (!format) throw corrupt('The WAV file has its samples before their format.');
      if (magic !== 'RIFF' && chunk.size === UNKNOWN_SIZE && sizeOf64 !== null) chunk.size = sizeOf64;
      // A recorder that was switched off, or a pipe, leaves 0 or all ones: the samples go on to the end.
      if (chunk.size === UNKNOWN_SIZE || chunk.size === 0) chunk.size = source.byteSize - chunk.start;
      return { format, data: chunk };
    }
    position = chunk.start + chunk.size + (chunk.size % 2);
  }
  throw corrupt('The WAV file holds no samples: its data chunk is missing.');
}

/** Wave64 chunk ids are GUIDs whose first four bytes spell the RIFF name; sizes count their own 24-byte header. */
function findWave64Chunks(source: ByteSource): WaveChunks {
  let format: Uint8Array | null = null;
  let position = 40;
  for (let count = 0; count < CHUNKS_MAX && position + 24 <= source.byteSize; count++) {
    const id = asciiOf(source.view(position, 4));
    const size = Number(viewOf(source.view(position, 24)).getBigUint64(16, true)) - 24;
    if (!(size >= 0)) break;
    const chunk = { id, start: position + 24, size };
    if (id === 'fmt ') format = source.view(chunk.start, Math.min(size, 4096));
    if (id === 'data' && format) return { format, data: chunk };
    position = chunk.start + size + ((8 - (size % 8)) % 8);
  }
  throw corrupt('The Wave64 file holds no samples: its data chunk is missing.');
}

function parseWaveFormat(bytes: Uint8Array, bigEndian = false): WaveFormat {
  if (bytes.length < 14) throw corrupt('The WAV file does not say how its samples are stored.');
  const view = viewOf(bytes);
  const littleEndian = !bigEndian;
  let tag = view.getUint16(0, littleEndian);
  let extra = bytes.subarray(18);
  if (tag === 0xfffe && bytes.length >= 40) {
    // WAVE_FORMAT_EXTENSIBLE: the true format tag opens the sub-format GUID.
    tag = view.getUint32(24, littleEndian) & 0xffff;
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

function pcmEncodingOf(format: WaveFormat): PcmEncoding {
  const { tag, bitDepth, blockAlignBytes, channelCount, bigEndian } = format;
  // Containers of 24 valid bits in 32 keep them at the top, so the width of the container decides.
  const fromAlign = blockAlignBytes % channelCount === 0 ? blockAlignBytes / channelCount : 0;
  const bytesPerSample = fromAlign >= bitDepth / 8 ? fromAlign : Math.ceil(bitDepth / 8);
  const kinds: Record<number, PcmEncoding['kind']> = { 1: 'signed', 3: 'float', 6: 'alaw', 7: 'mulaw' };
  const kind = tag === 1 && bytesPerSample === 1 ? 'unsigned' : kinds[tag];
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
