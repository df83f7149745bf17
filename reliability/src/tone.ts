const SAMPLE_RATE_HZ = 8_000;

/** Half a second of a tone as 16-bit WAV: the smallest thing that is honestly audio. */
export function makeTone(options: { toneHz: number; seconds?: number }): Buffer {
  const samples = Math.round((options.seconds ?? 0.5) * SAMPLE_RATE_HZ);
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  bytes.writeUInt32LE(SAMPLE_RATE_HZ * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples * 2, 40);
  for (let index = 0; index < samples; index += 1) {
    const value = Math.sin((2 * Math.PI * options.toneHz * index) / SAMPLE_RATE_HZ);
    bytes.writeInt16LE(Math.round(9_000 * value), 44 + index * 2);
  }
  return bytes;
}
