/**
 * Builds FLAC streams (RFC 9639) with any values in their metadata, and valid ones that hold hours of silence in a few hundred kilobytes.
 */

export type FlacFields = {
  sampleRateHz?: number;
  channelCount?: number;
  sampleBits?: number;
  totalSamples?: bigint;
  blockSamples?: number;
  /** Further metadata blocks, whose declared size may be wrong. */
  blocks?: { type: number; body: Buffer; declaredBytes?: number }[];
  frames?: Buffer;
};

export function flacOf(fields: FlacFields = {}): Buffer {
  const {
    sampleRateHz = 44_100,
    channelCount = 2,
    sampleBits = 16,
    totalSamples = 0n,
    blockSamples = 4096,
  } = fields;
  const info = Buffer.alloc(34);
  info.writeUInt16BE(blockSamples & 0xffff, 0);
  info.writeUInt16BE(blockSamples & 0xffff, 2);
  const packed =
    (BigInt(sampleRateHz) << 44n) |
    (BigInt(channelCount - 1) << 41n) |
    (BigInt(sampleBits - 1) << 36n) |
    totalSamples;
  info.writeBigUInt64BE(BigInt.asUintN(64, packed), 10);
  const blocks = [{ type: 0, body: info, declaredBytes: 34 }, ...(fields.blocks ?? [])];
  const metadata = blocks.map(({ type, body, declaredBytes = body.length }, index) => {
    const last = index === blocks.length - 1 ? 0x80 : 0;
    const header = Buffer.from([last | type, declaredBytes >>> 16, declaredBytes >>> 8, declaredBytes]);
    return Buffer.concat([header, body]);
  });
  return Buffer.concat([Buffer.from('fLaC'), ...metadata, fields.frames ?? Buffer.alloc(0)]);
}

/** FLAC's longest block, which yields the most silence per byte. */
const BOMB_BLOCK_SAMPLES = 65_535;
/** The frame header's codes for sample rates; 0 refers to the stream's metadata. */
const RATE_CODES: Record<number, number> = { 44100: 9, 192000: 3 };

/** Silence as constant subframes: ten minutes of eight channels at 192 kHz take 61 kB. */
export function silentFlac(options: { sampleRateHz: number; channelCount: number; seconds: number }): Buffer {
  const { sampleRateHz, channelCount, seconds } = options;
  const frameCount = Math.ceil((seconds * sampleRateHz) / BOMB_BLOCK_SAMPLES);
  const frames = Array.from({ length: frameCount }, (_, number) =>
    silentFrame(number, channelCount, RATE_CODES[sampleRateHz] ?? 0),
  );
  return flacOf({
    sampleRateHz,
    channelCount,
    blockSamples: BOMB_BLOCK_SAMPLES,
    frames: Buffer.concat(frames),
  });
}

function silentFrame(number: number, channelCount: number, rateCode: number): Buffer {
  const header = Buffer.from([
    0xff,
    0xf8,
    0x70 | rateCode,
    ((channelCount - 1) << 4) | 0x08,
    ...codeNumber(number),
    (BOMB_BLOCK_SAMPLES - 1) >> 8,
    (BOMB_BLOCK_SAMPLES - 1) & 0xff,
  ]);
  // Per channel: a constant subframe, zero as its 16-bit sample.
  const frame = Buffer.concat([header, Buffer.from([crc8(header)]), Buffer.alloc(channelCount * 3)]);
  const check = Buffer.alloc(2);
  check.writeUInt16BE(crc16(frame));
  return Buffer.concat([frame, check]);
}

/** The frame number, coded like a character of UTF-8. */
function codeNumber(number: number): number[] {
  if (number < 0x80) return [number];
  if (number < 0x800) return [0xc0 | (number >> 6), 0x80 | (number & 0x3f)];
  return [0xe0 | (number >> 12), 0x80 | ((number >> 6) & 0x3f), 0x80 | (number & 0x3f)];
}

function crc8(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x80 ? 0x07 : 0)) & 0xff;
  }
  return crc;
}

function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x8005 : 0)) & 0xffff;
  }
  return crc;
}
