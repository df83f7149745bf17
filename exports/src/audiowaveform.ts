/** The finest zoom level in the BBC's audiowaveform data format, version 2 (doc/DataFormat.md in bbc/audiowaveform). */

import { type ExportSource, requireGroup } from './export-source.ts';
import type { WaveformLevel } from './result-document.ts';

const HEADER_BYTES = 24;
const FLAG_8_BIT = 1;

export function writeAudiowaveformJson(source: ExportSource): string {
  const { version, channels, sample_rate, samples_per_pixel, bits, length, data } = finestLevel(source);
  return JSON.stringify({ version, channels, sample_rate, samples_per_pixel, bits, length, data });
}

export function writeAudiowaveformDat(source: ExportSource): Uint8Array {
  const level = finestLevel(source);
  const bytes = Buffer.alloc(HEADER_BYTES + level.data.length);
  bytes.writeInt32LE(level.version, 0);
  bytes.writeUInt32LE(FLAG_8_BIT, 4);
  bytes.writeInt32LE(level.sample_rate, 8);
  bytes.writeInt32LE(level.samples_per_pixel, 12);
  bytes.writeUInt32LE(level.length, 16);
  bytes.writeInt32LE(level.channels, 20);
  for (const [index, value] of level.data.entries()) bytes.writeInt8(value, HEADER_BYTES + index);
  return bytes;
}

function finestLevel(source: ExportSource): WaveformLevel {
  // A result has three levels, the finest first.
  return requireGroup(source, 'waveform').levels[0]!;
}
