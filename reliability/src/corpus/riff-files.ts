/** Builds WAV and AIFF files with any value in any header field. */

export type WavFields = {
  format?: number;
  channelCount?: number;
  sampleRateHz?: number;
  blockAlignBytes?: number;
  sampleBits?: number;
  riffBytes?: number;
  dataBytes?: number;
  magic?: string;
  /** Chunks between `fmt ` and `data`. */
  chunks?: Buffer;
  samples?: Buffer;
};

export function wavOf(fields: WavFields = {}): Buffer {
  const samples = fields.samples ?? Buffer.alloc(16_000);
  const { channelCount = 1, sampleRateHz = 8_000, sampleBits = 16 } = fields;
  const blockAlignBytes = fields.blockAlignBytes ?? (channelCount * sampleBits) >> 3;
  const format = Buffer.alloc(16);
  format.writeUInt16LE(fields.format ?? 1, 0);
  format.writeUInt16LE(channelCount, 2);
  format.writeUInt32LE(sampleRateHz, 4);
  format.writeUInt32LE((sampleRateHz * blockAlignBytes) >>> 0, 8);
  format.writeUInt16LE(blockAlignBytes & 0xffff, 12);
  format.writeUInt16LE(sampleBits, 14);
  const body = Buffer.concat([
    Buffer.from('WAVE'),
    chunkOf('fmt ', format),
    fields.chunks ?? Buffer.alloc(0),
    chunkOf('data', samples, fields.dataBytes),
  ]);
  return chunkOf(fields.magic ?? 'RIFF', body, fields.riffBytes);
}

export function chunkOf(id: string, body: Buffer, declaredBytes = body.length): Buffer {
  const header = Buffer.alloc(8);
  header.write(id, 0, 'latin1');
  header.writeUInt32LE(declaredBytes >>> 0, 4);
  return Buffer.concat([header, body]);
}

/** Mono at 8 kHz. The samples may be little-endian: a reader gets other values from them, but any values are audio. */
export function aiffOf(samples: Buffer): Buffer {
  const common = Buffer.alloc(18);
  common.writeUInt16BE(1, 0);
  common.writeUInt32BE(samples.length / 2, 2);
  common.writeUInt16BE(16, 6);
  // 8000 Hz as an 80-bit float: exponent 16383 + 12, mantissa 8000 · 2^51.
  common.writeUInt16BE(16383 + 12, 8);
  common.writeBigUInt64BE(8000n << 51n, 10);
  const sound = Buffer.concat([Buffer.alloc(8), samples]);
  const body = Buffer.concat([Buffer.from('AIFF'), bigChunk('COMM', common), bigChunk('SSND', sound)]);
  return bigChunk('FORM', body);
}

function bigChunk(id: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(id, 0, 'latin1');
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

export function floatSamples(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes;
}
