import { interleave, wavBytes } from '../../../scripts/wav-bytes.mjs';

/** Of 32,767: about 9 dB below full scale, far from clipping and from silence. */
const AMPLITUDE = 12_000;

/** A 16-bit WAV of a tone, for tests that need real audio with known properties. */
export function makeWav(options: {
  seconds: number;
  toneHz?: number;
  sampleRateHz?: number;
  channelCount?: number;
}): Buffer {
  const { seconds, toneHz = 440, sampleRateHz = 22_050, channelCount = 1 } = options;
  const tone = Int16Array.from({ length: Math.round(seconds * sampleRateHz) }, (_, n) =>
    Math.round(AMPLITUDE * Math.sin((2 * Math.PI * toneHz * n) / sampleRateHz)),
  );
  const samples = interleave(Array.from({ length: channelCount }, () => tone));
  return wavBytes(samples, { sampleRateHz, channelCount });
}
