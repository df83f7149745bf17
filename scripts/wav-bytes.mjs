/** RIFF and WAVE, a format chunk of 16 bytes, and the head of the data chunk. */
const HEADER_BYTES = 44;

/** A WAV file of interleaved samples, as 16-bit integers or 32-bit floats like the array. For tests and tools that synthesise audio. */
export function wavBytes(samples, { sampleRateHz, channelCount = 1 }) {
  const isFloat = samples instanceof Float32Array;
  const { byteLength, BYTES_PER_ELEMENT: sampleBytes } = samples;
  const bytes = Buffer.alloc(HEADER_BYTES + byteLength);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(HEADER_BYTES - 8 + byteLength, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  // WAVE_FORMAT_IEEE_FLOAT and WAVE_FORMAT_PCM (RFC 2361).
  bytes.writeUInt16LE(isFloat ? 3 : 1, 20);
  bytes.writeUInt16LE(channelCount, 22);
  bytes.writeUInt32LE(sampleRateHz, 24);
  bytes.writeUInt32LE(sampleRateHz * channelCount * sampleBytes, 28);
  bytes.writeUInt16LE(channelCount * sampleBytes, 32);
  bytes.writeUInt16LE(8 * sampleBytes, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(byteLength, 40);
  bytes.set(new Uint8Array(samples.buffer, samples.byteOffset, byteLength), HEADER_BYTES);
  return bytes;
}

/** Interleaves channels of equal length. */
export function interleave(channels) {
  const [first] = channels;
  const out = new first.constructor(first.length * channels.length);
  for (const [channel, samples] of channels.entries())
    for (let n = 0; n < samples.length; n += 1) out[n * channels.length + channel] = samples[n];
  return out;
}
