/**
 * WavPack ("WavPack 4 & 5 Binary File / Block Format", wavpack.com). Blocks do not depend on each other, and the package that decodes them
 * keeps every byte it is given. So it is fed whole blocks, and replaced by a new decoder every few megabytes.
 */

import { integerRescaler } from '../codecs/integer-samples.ts';
import { corrupt, unsupported } from '../decode-error.ts';
import {
  type AudioStream,
  newHealth,
  type Samples,
  type StreamHealth,
  sampleCountOf,
} from '../stream/audio-stream.ts';
import { asciiOf, viewOf } from '../stream/binary.ts';
import { type ByteSource, findBytes } from '../stream/file-bytes.ts';
import { findAudioEnd } from './trailing-tags.ts';

const HEADER_BYTES = 32;
/** Far more than encoders write: a larger block is damaged. */
const BLOCK_BYTES_MAX = 16 * 2 ** 20;
/** After this many bytes a new decoder takes over; they are tens of seconds of CD audio. */
const DECODER_BYTES_MAX = 4 * 2 ** 20;
const BLOCK_ID = [...'wvpk'].map((letter) => letter.charCodeAt(0));
const FIRST_BLOCK_OF_GROUP = 0x800;
const LAST_BLOCK_OF_GROUP = 0x1000;
const FLOAT = 0x80;
const DSD = 0x8000_0000;
/** Bytes per sample, mono, float, shift and sample rate: a decoder keeps those of its first block. */
const FORMAT_FLAGS = 0x0783_e087;
const UNKNOWN_SAMPLES = 0xffff_ffff;

type Block = { position: number; byteLength: number; flags: number };
type Decoder = Awaited<ReturnType<typeof import('@audio/decode-wavpack')['decoder']>>;

export async function openWavpack(source: ByteSource): Promise<AudioStream> {
  if (!readBlock(source, 0)) throw corrupt('The WavPack file has no valid header.');
  const totalSamples = viewOf(source.view(0, HEADER_BYTES)).getUint32(12, true);
  const { decoder: createDecoder } = await import('@audio/decode-wavpack');
  const health = newHealth();
  const blocks = decodeGroups(source, createDecoder, health);
  const declaredSamples = totalSamples === UNKNOWN_SAMPLES ? null : totalSamples;
  const opening = await blocks.next();
  if (opening.done) throw corrupt('None of the audio in the file could be decoded.');
  return {
    container: 'WavPack',
    codec: 'WavPack',
    decoder: 'libwavpack',
    sampleRateHz: opening.value.sampleRateHz,
    channelCount: opening.value.samples.length,
    bitDepth: opening.value.bitDepth,
    nominalBitRateBps: null,
    audioBytes: findAudioEnd(source),
    declaredSamples,
    blocks: checkStream(opening.value, blocks, declaredSamples, health),
    health,
  };
}

type Decoded = { samples: Samples; sampleRateHz: number; bitDepth: number };

/** Refuses a change of format, and records whether declared samples are missing at the end. */
async function* checkStream(
  first: Decoded,
  rest: AsyncIterable<Decoded>,
  declaredSamples: number | null,
  health: StreamHealth,
): AsyncGenerator<Samples> {
  let decodedSamples = sampleCountOf(first.samples);
  yield first.samples;
  for await (const { samples, sampleRateHz } of rest) {
    if (samples.length !== first.samples.length || sampleRateHz !== first.sampleRateHz) {
      throw unsupported('The WavPack file changes its sample rate or channels in the middle.');
    }
    decodedSamples += sampleCountOf(samples);
    yield samples;
  }
  if (health.damagedPackets === 0 && decodedSamples < (declaredSamples ?? 0)) health.truncated = true;
}

/**
 * A block holds one or two channels. The blocks of all channels of the same samples form a group, which decodes only as a whole. Blocks
 * outside of groups are the rest of a damaged one, or hold what surrounded the samples in the original file.
 */
async function* decodeGroups(
  source: ByteSource,
  createDecoder: () => Promise<Decoder>,
  health: StreamHealth,
): AsyncGenerator<Decoded> {
  let decoder: Decoder | null = null;
  let fedBytes = 0;
  let formatFlags = 0;
  let first: Block | null = null;
  try {
    for (let position = 0; position < source.byteSize; ) {
      const block = readBlock(source, position);
      if (!block || position + block.byteLength > source.byteSize) {
        const next = findBytes(source, BLOCK_ID, position + 1);
        if (next === null) {
          // Bytes after the last block that do not begin like one are a tag.
          health.truncated = block !== null || first !== null;
          return;
        }
        health.damagedPackets++;
        position = next;
        first = null;
        continue;
      }
      position += block.byteLength;
      if (block.flags & FIRST_BLOCK_OF_GROUP) {
        if (first) health.damagedPackets++;
        first = block;
      }
      if (!first) continue;
      if (!(block.flags & LAST_BLOCK_OF_GROUP) && position - first.position < BLOCK_BYTES_MAX) continue;
      const { flags } = first;
      const group = source.view(first.position, position - first.position);
      first = null;
      if (flags & DSD) throw unsupported('This is a WavPack file with DSD, which cannot be decoded.');
      if (!decoder || fedBytes > DECODER_BYTES_MAX || formatFlags !== (flags & FORMAT_FLAGS)) {
        decoder?.free();
        decoder = await createDecoder();
        fedBytes = 0;
        formatFlags = flags & FORMAT_FLAGS;
      }
      fedBytes += group.length;
      const decoded = tryDecode(decoder, group);
      if (decoded) {
        health.decodedPackets++;
        if (decoded.channelData.length > 0) yield convert(decoded, flags);
      } else {
        health.damagedPackets++;
        decoder.free();
        decoder = null;
      }
    }
    health.truncated = first !== null;
  } finally {
    decoder?.free();
  }
}

function convert({ channelData, sampleRate }: ReturnType<Decoder['decode']>, flags: number): Decoded {
  const shiftBits = (flags >> 13) & 31;
  const bitDepth = ((flags & 3) + 1) * 8 - shiftBits;
  const samples = flags & FLOAT ? channelData : integerRescaler(bitDepth, shiftBits)(channelData);
  return { samples, sampleRateHz: sampleRate, bitDepth };
}

function tryDecode(decoder: Decoder, group: Uint8Array): ReturnType<Decoder['decode']> | null {
  try {
    return decoder.decode(group);
  } catch {
    return null;
  }
}

function readBlock(source: ByteSource, position: number): Block | null {
  const header = source.view(position, HEADER_BYTES);
  if (header.length < HEADER_BYTES || asciiOf(header.subarray(0, 4)) !== 'wvpk') return null;
  const view = viewOf(header);
  const byteLength = view.getUint32(4, true) + 8;
  if (byteLength < HEADER_BYTES || byteLength > BLOCK_BYTES_MAX) return null;
  return { position, byteLength, flags: view.getUint32(24, true) };
}
