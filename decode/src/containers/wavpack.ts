/**
 * WavPack. Blocks do not depend on each other, and the package that decodes them keeps every byte it is given. So it is fed whole
 * blocks, and replaced by a new decoder every few megabytes.
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

const HEADER_BYTES = 32;
/** Far more than encoders write: a larger block is damaged. */
const BLOCK_BYTES_MAX = 16 * 2 ** 20;
/** After this many bytes a new decoder takes over; they are tens of seconds of CD audio. */
const DECODER_BYTES_MAX = 4 * 2 ** 20;
const BLOCK_ID = [...'wvpk'].map((letter) => letter.charCodeAt(0));
const LAST_BLOCK_OF_GROUP = 0x1000;
const UNKNOWN_SAMPLES = 0xffff_ffff;

type Block = { position: number; byteLength: number; flags: number };
type Decoder = Awaited<ReturnType<typeof import('@audio/decode-wavpack')['decoder']>>;

export async function openWavpack(source: ByteSource): Promise<AudioStream> {
  const first = readBlock(source, 0);
  if (!first) throw corrupt('The WavPack file has no valid header.');
  const totalSamples = viewOf(source.view(0, HEADER_BYTES)).getUint32(12, true);
  const isFloat = (first.flags & 0x80) !== 0;
  const bitDepth = ((first.flags & 3) + 1) * 8 - ((first.flags >> 13) & 31);
  const { decoder: createDecoder } = await import('@audio/decode-wavpack');
  const health = newHealth();
  const blocks = decodeGroups(
    source,
    createDecoder,
    health,
    isFloat ? (samples) => samples : integerRescaler(bitDepth),
  );
  const declaredSamples = totalSamples === UNKNOWN_SAMPLES ? null : totalSamples;
  const opening = await blocks.next();
  if (opening.done) throw corrupt('None of the audio in the file could be decoded.');
  return {
    container: 'WavPack',
    codec: 'WavPack',
    decoder: 'libwavpack',
    sampleRateHz: opening.value.sampleRateHz,
    channelCount: opening.value.samples.length,
    bitDepth,
    nominalBitRateBps: null,
    audioBytes: source.byteSize,
    declaredSamples,
    blocks: checkStream(opening.value, blocks, declaredSamples, health),
    health,
  };
}

type Decoded = { samples: Samples; sampleRateHz: number };

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

/** A block holds one or two channels. The blocks of all channels of the same samples form a group, which decodes only as a whole. */
async function* decodeGroups(
  source: ByteSource,
  createDecoder: () => Promise<Decoder>,
  health: StreamHealth,
  convert: (samples: Samples) => Samples,
): AsyncGenerator<Decoded> {
  let decoder = await createDecoder();
  let fedBytes = 0;
  let groupStart = 0;
  for (let position = 0; position < source.byteSize; ) {
    const block = readBlock(source, position);
    if (!block || position + block.byteLength > source.byteSize) {
      const next = findBytes(source, BLOCK_ID, position + 1);
      if (next === null) {
        // Bytes after the last block that do not begin like one are a tag.
        health.truncated = block !== null || groupStart < position;
        return;
      }
      health.damagedPackets++;
      position = next;
      groupStart = next;
      continue;
    }
    position += block.byteLength;
    if (!(block.flags & LAST_BLOCK_OF_GROUP) && position - groupStart < BLOCK_BYTES_MAX) continue;
    const group = source.view(groupStart, position - groupStart);
    groupStart = position;
    const decoded = tryDecode(decoder, group);
    fedBytes += group.length;
    if (decoded) health.decodedPackets++;
    else health.damagedPackets++;
    if (decoded && decoded.channelData.length > 0) {
      yield { samples: convert(decoded.channelData), sampleRateHz: decoded.sampleRate };
    }
    if (!decoded || fedBytes > DECODER_BYTES_MAX) {
      decoder.free();
      decoder = await createDecoder();
      fedBytes = 0;
    }
  }
  health.truncated = groupStart < source.byteSize;
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
