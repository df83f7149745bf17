import { interleave, wavBytes } from '../../../scripts/wav-bytes.mjs';

/** A 16-bit WAV of a tone, for tests that need real audio with known properties. */
export function makeWav(options: {
  seconds: number;
  toneHz?: number;
  sampleRateHz?: number;
  channels?: number;
}): Buffer {
  const { seconds, toneHz = 440, sampleRateHz = 22_050, channels = 1 } = options;
  const tone = Int16Array.from({ length: Math.round(seconds * sampleRateHz) }, (_, n) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * toneHz * n) / sampleRateHz)),
  );
  const samples = interleave(Array.from({ length: channels }, () => tone));
  return wavBytes(samples, { sampleRateHz, channelCount: channels });
}
