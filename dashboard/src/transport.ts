/**
 * What moves the playhead: the song itself when there is audio, otherwise a silent recording of the same length, so that the
 * click track and the chords can still be followed.
 */
export async function loadMedia(
  jobId: string,
  file: Blob | null,
  durationSeconds: number,
): Promise<{ url: string; silent: boolean }> {
  if (file) return { url: URL.createObjectURL(file), silent: false };
  const response = await fetch(`/v1/analyses/${jobId}/artifacts/source`);
  if (response.ok) return { url: URL.createObjectURL(await response.blob()), silent: false };
  return { url: URL.createObjectURL(silence(durationSeconds)), silent: true };
}

const SILENCE_RATE_HZ = 8_000;

/** An 8-bit mono WAV whose middle value is 128. */
function silence(durationSeconds: number): Blob {
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
