/**
 * RIFF/WAVE, its big-endian form RIFX, its 64-bit forms RF64 (EBU Tech 3306) and BW64 (ITU-R BS.2088), and Sony Wave64. All hold a
 * WAVEFORMATEX and a run of samples in chunks; only the width of the sizes and the byte order differ.
 *
 * A program that writes to a pipe, or a recorder that loses power, cannot go back and fill in the length of the samples. These values
 * mean that the samples extend to the end of the file: 0 and all ones (FFmpeg); in Wave64 the size of an empty chunk, the largest signed
 * number (FFmpeg) and all ones; and, if they exceed the file, the values that LAME and SoX write.
 */

import { corrupt } from '../decode-error.ts';
import type { AudioStream } from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import { type ByteSource, sliceSource } from '../stream/file-bytes.ts';
import { openAdpcm } from './adpcm-wav.ts';
import { openPcm, type Region } from './pcm-region.ts';
import {
  IMA_ADPCM,
  MICROSOFT_ADPCM,
  MPEG_LAYER_1_OR_2,
  MPEG_LAYER_3,
  parseWaveFormat,
  pcmEncodingOf,
} from './wave-format.ts';

/** Bounds the time for a crafted file of nothing but chunk headers; programs write a few dozen. */
const CHUNKS_MAX = 10_000;
/** The longest format chunk in use, Microsoft's ADPCM with its table, takes 50 bytes. */
const FORMAT_BYTES_MAX = 4_096;
/** Chunks that recorders write before or after the samples. */
const COMMON_CHUNKS = [
  'fmt ',
  'data',
  'fact',
  'LIST',
  'JUNK',
  'bext',
  'iXML',
  'cue ',
  'smpl',
  'PEAK',
  'id3 ',
  'ID3 ',
];
const UNKNOWN_BYTES = 0xffff_ffff;
const WAVE64_HEADER_BYTES = 24;
const WAVE64_UNKNOWN_MIN_BYTES = 0x7fff_ffff_ffff_ffffn;
const LAME_PIPE_BYTES = 0x7fff_ffff;
/** SoX declares as many whole samples as fit into this many bytes. */
const SOX_PIPE_BYTES = 0x7fff_f000;

/** `dataBytes`: null if the length is unknown. */
type WaveChunks = { format: Uint8Array; dataStart: number; dataBytes: number | null };

export async function openWav(source: ByteSource): Promise<AudioStream> {
  const magic = asciiOf(source.view(0, 4));
  const chunks = magic === 'riff' ? findWave64Chunks(source) : findRiffChunks(source, magic);
  const format = parseWaveFormat(chunks.format, magic === 'RIFX');
  const data = findData(source, chunks, format.blockAlignBytes);
  const { tag, bigEndian, blockAlignBytes, channelCount, sampleRateHz, bitDepth } = format;
  const container = magic === 'riff' ? 'Wave64' : magic === 'RIFF' ? 'WAV' : magic;

  if (tag === MPEG_LAYER_3 || tag === MPEG_LAYER_1_OR_2) {
    const { openMpegAudio } = await import('./mpeg-audio.ts');
    return {
      ...(await openMpegAudio(sliceSource(source, data.start, data.start + data.byteLength))),
      container,
    };
  }
  if (!bigEndian && (tag === MICROSOFT_ADPCM || tag === IMA_ADPCM))
    return openAdpcm(source, data, format, container);

  const encoding = pcmEncodingOf(format);
  const strideBytes = Math.max(blockAlignBytes, encoding.bytesPerSample * channelCount);
  return openPcm(source, data, { container, encoding, sampleRateHz, channelCount, bitDepth, strideBytes });
}

function findData(source: ByteSource, chunks: WaveChunks, blockAlignBytes: number): Region {
  const { dataStart: start, dataBytes } = chunks;
  const restBytes = source.byteSize - start;
  const isPipe =
    dataBytes === LAME_PIPE_BYTES ||
    dataBytes === SOX_PIPE_BYTES - (SOX_PIPE_BYTES % Math.max(1, blockAlignBytes));
  const isUnknown = dataBytes === null || (isPipe && dataBytes > restBytes);
  return { start, byteLength: isUnknown ? restBytes : dataBytes };
}

function findRiffChunks(source: ByteSource, magic: string): WaveChunks {
  let format: Uint8Array | null = null;
  let dataBytes64: number | null = null;
  let position = 12;
  for (let count = 0; count < CHUNKS_MAX && position + 8 <= source.byteSize; count++) {
    const id = asciiOf(source.view(position, 4));
    let byteLength = viewOf(source.view(position, 8)).getUint32(4, magic !== 'RIFX');
    const start = position + 8;
    if (id === 'ds64' && byteLength >= 24) {
      dataBytes64 = Number(viewOf(source.view(start, 24)).getBigUint64(8, true));
    } else if (id === 'fmt ') {
      format = source.view(start, Math.min(byteLength, FORMAT_BYTES_MAX));
    } else if (id === 'data') {
      if (!format) throw corrupt('The WAV file has its samples before their format.');
      if (magic !== 'RIFF' && byteLength === UNKNOWN_BYTES && dataBytes64 !== null) byteLength = dataBytes64;
      const isUnknown = byteLength === UNKNOWN_BYTES || byteLength === 0;
      return { format, dataStart: start, dataBytes: isUnknown ? null : byteLength };
    }
    position = start + byteLength;
    // Some recorders leave out the padding byte after a chunk of odd length.
    const isUnpadded = COMMON_CHUNKS.includes(asciiOf(source.view(position, 4)));
    if (byteLength % 2 === 1 && !isUnpadded) position++;
  }
  throw corrupt('The WAV file holds no samples: its data chunk is missing.');
}

/** The chunk ids of Wave64 are GUIDs whose first four bytes spell the RIFF name. Its sizes include the 24-byte chunk header. */
function findWave64Chunks(source: ByteSource): WaveChunks {
  let format: Uint8Array | null = null;
  let position = 40;
  for (let count = 0; count < CHUNKS_MAX && position + WAVE64_HEADER_BYTES <= source.byteSize; count++) {
    const id = asciiOf(source.view(position, 4));
    const sizeBytes = viewOf(source.view(position, WAVE64_HEADER_BYTES)).getBigUint64(16, true);
    const byteLength = Number(sizeBytes) - WAVE64_HEADER_BYTES;
    if (byteLength < 0) break;
    const start = position + WAVE64_HEADER_BYTES;
    if (id === 'fmt ') format = source.view(start, Math.min(byteLength, FORMAT_BYTES_MAX));
    if (id === 'data' && format) {
      const isUnknown = byteLength === 0 || sizeBytes >= WAVE64_UNKNOWN_MIN_BYTES;
      return { format, dataStart: start, dataBytes: isUnknown ? null : byteLength };
    }
    position = start + byteLength + ((8 - (byteLength % 8)) % 8);
  }
  throw corrupt('The Wave64 file holds no samples: its data chunk is missing.');
}
