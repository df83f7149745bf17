/** The sample tables of one MP4 track, which give the place of each packet. MP4 calls a packet a sample. */

import { corrupt } from '../decode-error.ts';
import { viewOf } from '../stream/binary.ts';
import { findBox } from './mp4-boxes.ts';

/** Uncompressed audio has no packets of its own. A third of a second at 48 kHz; all of a recording may be one chunk. */
const PCM_PACKET_SAMPLES = 16_384;

/** The place of one packet in the file. */
export type PacketPlace = { position: number; byteLength: number };

export type SampleTable = {
  count: number;
  /** Whether the tables of sizes, chunks and durations list the same number of packets; if not, one of them is damaged. */
  isConsistent: boolean;
  /** Of all packets. */
  byteLength: number;
  /** Of all packets, in the track's own ticks; null if the table of durations is missing, empty or damaged. */
  durationTicks: number | null;
  packets(): Generator<PacketPlace>;
};

/** `strideBytes`: of uncompressed audio, whose table lists single samples, so that packets are cut from chunks; else null. */
export function readSampleTable(stbl: Uint8Array, strideBytes: number | null): SampleTable {
  const listed = readSizes(stbl);
  const sizes = strideBytes === null ? listed : fixedSizes(strideBytes, listed.count);
  const offsets = readChunkOffsets(stbl);
  const chunkRuns = readChunkRuns(stbl);
  if (offsets.count > 0 && chunkRuns.length === 0) throw corrupt('The MP4 file has no table of its packets.');
  const chunks = () => walkChunks(sizes.count, offsets, chunkRuns);
  const durations = readDurations(stbl);
  const isTimed = durations !== null && durations.count === sizes.count;
  let byteLength = 0;
  let placedCount = 0;
  for (const chunk of chunks()) {
    byteLength += chunkBytes(chunk, sizes);
    placedCount += chunk.sampleCount;
  }
  return {
    count: sizes.count,
    isConsistent: placedCount === sizes.count && (durations === null || isTimed),
    byteLength,
    durationTicks: isTimed ? durations.ticks : null,
    packets: () => (strideBytes === null ? packetsOf(chunks(), sizes) : cutChunks(chunks(), strideBytes)),
  };
}

/** A column of a table, in bytes: the sizes of packets, or the positions of chunks. */
type Column = { count: number; at(index: number): number };
/** `eachBytes`: the size of every packet, null if they differ. With one size, a few bytes can declare four billion packets. */
type Sizes = Column & { eachBytes: number | null };
type ChunkRun = { firstChunk: number; samplesPerChunk: number };
type Chunk = { position: number; firstSample: number; sampleCount: number };

function* walkChunks(sampleCount: number, offsets: Column, runs: ChunkRun[]): Generator<Chunk> {
  let firstSample = 0;
  let run = 0;
  for (let chunk = 0; chunk < offsets.count && firstSample < sampleCount; chunk++) {
    while (run + 1 < runs.length && runs[run + 1]!.firstChunk <= chunk + 1) run++;
    const inChunk = Math.min(runs[run]!.samplesPerChunk, sampleCount - firstSample);
    yield { position: offsets.at(chunk), firstSample, sampleCount: inChunk };
    firstSample += inChunk;
  }
}

function* packetsOf(chunks: Iterable<Chunk>, sizes: Sizes): Generator<PacketPlace> {
  for (const { position: start, firstSample, sampleCount } of chunks) {
    let position = start;
    for (let i = 0; i < sampleCount; i++) {
      const byteLength = sizes.at(firstSample + i);
      yield { position, byteLength };
      position += byteLength;
    }
  }
}

function* cutChunks(chunks: Iterable<Chunk>, strideBytes: number): Generator<PacketPlace> {
  for (const { position, sampleCount } of chunks) {
    for (let i = 0; i < sampleCount; i += PCM_PACKET_SAMPLES) {
      const packetSamples = Math.min(PCM_PACKET_SAMPLES, sampleCount - i);
      yield { position: position + i * strideBytes, byteLength: packetSamples * strideBytes };
    }
  }
}

function chunkBytes({ firstSample, sampleCount }: Chunk, sizes: Sizes): number {
  if (sizes.eachBytes !== null) return sampleCount * sizes.eachBytes;
  let byteLength = 0;
  for (let i = 0; i < sampleCount; i++) byteLength += sizes.at(firstSample + i);
  return byteLength;
}

function fixedSizes(eachBytes: number, count: number): Sizes {
  return { count, eachBytes, at: () => eachBytes };
}

function readSizes(stbl: Uint8Array): Sizes {
  const body = findBox(stbl, 'stsz');
  if (body && body.length >= 12) {
    const view = viewOf(body);
    const fixedBytes = view.getUint32(4);
    const count = view.getUint32(8);
    if (fixedBytes > 0) return fixedSizes(fixedBytes, count);
    const listedCount = Math.min(count, (body.length - 12) >> 2);
    return { count: listedCount, eachBytes: null, at: (index) => view.getUint32(12 + index * 4) };
  }
  const compact = findBox(stbl, 'stz2');
  if (!compact || compact.length < 12) throw corrupt('The MP4 file has no table of its packets.');
  const view = viewOf(compact);
  const fieldBits = compact[7]!;
  const count = Math.min(view.getUint32(8), Math.floor(((compact.length - 12) * 8) / (fieldBits || 8)));
  const listed = { count, eachBytes: null };
  if (fieldBits === 16) return { ...listed, at: (index) => view.getUint16(12 + index * 2) };
  if (fieldBits === 8) return { ...listed, at: (index) => compact[12 + index]! };
  return { ...listed, at: (index) => (compact[12 + (index >> 1)]! >> (index & 1 ? 0 : 4)) & 15 };
}

function readChunkOffsets(stbl: Uint8Array): Column {
  const narrow = findBox(stbl, 'stco');
  const body = narrow ?? findBox(stbl, 'co64');
  if (!body || body.length < 8) throw corrupt('The MP4 file has no table of its packets.');
  const view = viewOf(body);
  const widthBytes = narrow ? 4 : 8;
  const count = Math.min(view.getUint32(4), Math.floor((body.length - 8) / widthBytes));
  return {
    count,
    at: (index) => (narrow ? view.getUint32(8 + index * 4) : Number(view.getBigUint64(8 + index * 8))),
  };
}

function readChunkRuns(stbl: Uint8Array): ChunkRun[] {
  const body = findBox(stbl, 'stsc');
  if (!body || body.length < 8) return [];
  const view = viewOf(body);
  const count = Math.min(view.getUint32(4), Math.floor((body.length - 8) / 12));
  return Array.from({ length: count }, (_, i) => ({
    firstChunk: view.getUint32(8 + i * 12),
    samplesPerChunk: view.getUint32(12 + i * 12),
  }));
}

function readDurations(stbl: Uint8Array): { count: number; ticks: number } | null {
  const body = findBox(stbl, 'stts');
  if (!body || body.length < 8) return null;
  const view = viewOf(body);
  const runCount = Math.min(view.getUint32(4), Math.floor((body.length - 8) / 8));
  let count = 0;
  let ticks = 0;
  for (let i = 0; i < runCount; i++) {
    const inRun = view.getUint32(8 + i * 8);
    count += inRun;
    ticks += inRun * view.getUint32(12 + i * 8);
  }
  return ticks > 0 ? { count, ticks } : null;
}
