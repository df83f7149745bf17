/** A low rate that browsers play: the file is as long as the song, and is made in memory. */
const SAMPLE_RATE_HZ = 8_000;
/** Zero, since eight-bit samples are unsigned. */
const ZERO_SAMPLE = 128;
const HEADER_BYTES = 44;

/** A silent WAV file of one channel and eight bits (Microsoft, "Multimedia Programming Interface and Data Specifications 1.0"). */
export function silence(durationSeconds: number): Blob {
  const samples = new Uint8Array(Math.ceil(durationSeconds * SAMPLE_RATE_HZ)).fill(ZERO_SAMPLE);
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  const text = (offsetBytes: number, value: string) => {
    for (let i = 0; i < value.length; i++) header.setUint8(offsetBytes + i, value.charCodeAt(i));
  };
  text(0, 'RIFF');
  header.setUint32(4, HEADER_BYTES - 8 + samples.length, true);
  text(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, SAMPLE_RATE_HZ, true);
  header.setUint32(28, SAMPLE_RATE_HZ, true);
  header.setUint16(32, 1, true);
  header.setUint16(34, 8, true);
  text(36, 'data');
  header.setUint32(40, samples.length, true);
  return new Blob([header.buffer, samples], { type: 'audio/wav' });
}
