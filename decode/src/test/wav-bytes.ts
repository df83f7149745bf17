/** A WAV file in memory: 16-bit, or 32-bit float. */
export function wavBytes(
  channels: Float32Array[],
  { sampleRateHz = 8000, float = false }: { sampleRateHz?: number; float?: boolean } = {},
): Uint8Array {
  const sampleCount = channels[0]?.length ?? 0;
  const bytesPerSample = float ? 4 : 2;
  const strideBytes = bytesPerSample * channels.length;
  const bytes = new Uint8Array(44 + sampleCount * strideBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('RIFF'), 0);
  view.setUint32(4, bytes.length - 8, true);
  bytes.set(new TextEncoder().encode('WAVEfmt '), 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, float ? 3 : 1, true);
  view.setUint16(22, channels.length, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * strideBytes, true);
  view.setUint16(32, strideBytes, true);
  view.setUint16(34, bytesPerSample * 8, true);
  bytes.set(new TextEncoder().encode('data'), 36);
  view.setUint32(40, sampleCount * strideBytes, true);
  for (const [channel, samples] of channels.entries()) {
    for (const [i, value] of samples.entries()) {
      const at = 44 + i * strideBytes + channel * bytesPerSample;
      if (float) view.setFloat32(at, value, true);
      else view.setInt16(at, Math.round(value * 32768), true);
    }
  }
  return bytes;
}
