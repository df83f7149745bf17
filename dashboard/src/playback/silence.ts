const SILENCE_RATE_HZ = 8_000;

/** A silent recording: an 8-bit mono WAV, whose middle value is 128. */
export function silence(durationSeconds: number): Blob {
  const samples = new Uint8Array(Math.ceil(durationSeconds * SILENCE_RATE_HZ)).fill(128);
  const header = new DataView(new ArrayBuffer(44));
  const text = (offset: number, value: string) => {
    for (let i = 0; i < value.length; i++) header.setUint8(offset + i, value.charCodeAt(i));
  };
  text(0, 'RIFF');
  header.setUint32(4, 36 + samples.length, true);
  text(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, SILENCE_RATE_HZ, true);
  header.setUint32(28, SILENCE_RATE_HZ, true);
  header.setUint16(32, 1, true);
  header.setUint16(34, 8, true);
  text(36, 'data');
  header.setUint32(40, samples.length, true);
  return new Blob([header.buffer, samples], { type: 'audio/wav' });
}
