/** The sample tables of one MP4 track: where each packet lies. MP4 calls a packet a sample. */

import { corrupt } from '../decode-error.ts';
import { viewOf } from '../stream/binary.ts';
import { findBox } from './mp4-boxes.ts';

type SampleTable = {
  count: number;
  /** Of all packets, in the track's own ticks; null where the table that says so is missing or empty. */
  durationTicks: number | null;
  packets(): Generator<{ position: number; byteLength: number }>;
};

export function readSampleTable(stbl: Uint8Array, strideBytes: number | null): SampleTable {
  const sizes = readSizes(stbl);
  const offsets = readChunkOffsets(stbl);
  const chunkRuns = readChunkRuns(stbl);
  if (offsets.count > 0 && chunkRuns.length === 0) throw corrupt('The MP4 file has no table of its packets.');
  return {
    count: sizes.count,
    durationTicks: readDuration(stbl),
    packets: () => walkChunks(sizes, offsets, chunkRuns, strideBytes),
  };
}

/** Numbers of a table, in bytes: the sizes of packets, or where chunks of them begin. */
type Column = { count: number; at(index: number): number };
type ChunkRun = { firstChunk: number; samplesPerChunk: number };

/** Uncompressed audio, whose samples are `strideBytes` apart, counts single samples; there a whole chunk is the packet. */
function* walkChunks(
  sizes: Column,
  offsets: Column,
  runs: ChunkRun[],
  strideBytes: number | null,
): Generator<{ position: number; byteLength: number }> {
  let sample = 0;
  let run = 0;
  for (let chunk = 0; chunk < offsets.count && sample < sizes.count; chunk++) {
    while (run + 1 < runs.length && runs[run + 1]!.firstChunk <= chunk + 1) run++;
    const inChunk = Math.min(runs[run]!.samplesPerChunk, sizes.count - sample);
    let position = offsets.at(chunk);
    if (strideBytes !== null) {
      yield { position, byteLength: inChunk * strideBytes };
      sample += inChunk;
      continue;
    }
    for (let i = 0; i < inChunk; i++) {
      const byteLength = sizes.at(sample++);
      yield { position, byteLength };
      position += byteLength;
    }
  }
}

function readSizes(stbl: Uint8Array): Column {
  const body = findBox(stbl, 'stsz');
  if (body && body.length >= 12) {
    const view = viewOf(body);
    const fixedBytes = view.getUint32(4);
    const count = view.getUint32(8);
    if (fixedBytes > 0) return { count, at: () => fixedBytes };
    return { count: Math.min(count, (body.length - 12) >> 2), at: (index) => view.getUint32(12 + index * 4) };
  }
  const compact = findBox(stbl, 'stz2');
  if (!compact || compact.length < 12) throw corrupt('The MP4 file has no table of its packets.');
  const view = viewOf(compact);
  const fieldBits = compact[7]!;
  const count = Math.min(view.getUint32(8), Math.floor(((compact.length - 12) * 8) / (fieldBits || 8)));
  if (fieldBits === 16) return { count, at: (index) => view.getUint16(12 + index * 2) };
  if (fieldBits === 8) return { count, at: (index) => compact[12 + index]! };
  return { count, at: (index) => (compact[12 + (index >> 1)]! >> (index & 1 ? 0 : 4)) & 15 };
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

function readDuration(stbl: Uint8Array): number | null {
  const body = findBox(stbl, 'stts');
  if (!body || body.length < 8) return null;
  const view = viewOf(body);
  const count = Math.min(view.getUint32(4), Math.floor((body.length - 8) / 8));
  let ticks = 0;
  for (let i = 0; i < count; i++) ticks += view.getUint32(8 + i * 8) * view.getUint32(12 + i * 8);
  return ticks || null;
}
