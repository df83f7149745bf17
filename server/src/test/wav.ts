/** A 16-bit WAV of a tone, for tests that need real audio with known properties. */
export function makeWav(options: {
  seconds: number;
  toneHz?: number;
  sampleRateHz?: number;
  channels?: number;
}): Buffer {
  const { seconds, toneHz = 440, sampleRateHz = 22_050, channels = 1 } = options;
  const samples = Math.round(seconds * sampleRateHz);
  const bytes = Buffer.alloc(44 + samples * channels * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(sampleRateHz, 24);
  bytes.writeUInt32LE(sampleRateHz * channels * 2, 28);
  bytes.writeUInt16LE(channels * 2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples * channels * 2, 40);
  for (let sample = 0; sample < samples; sample++) {
    const value = Math.round(12_000 * Math.sin((2 * Math.PI * toneHz * sample) / sampleRateHz));
    for (let channel = 0; channel < channels; channel++) {
      bytes.writeInt16LE(value, 44 + (sample * channels + channel) * 2);
    }
  }
  return bytes;
}
