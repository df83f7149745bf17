import type { Buffer } from 'node:buffer';
import { wavBytes } from '../../../scripts/wav-bytes.mjs';

const SAMPLE_RATE_HZ = 22_050;
const SONG_SECONDS = 14;

export type TestSong = { name: string; mimeType: string; buffer: Buffer };

/** A short song with known tempo, key and chords: drums, and I, IV, V, I of a major key, one chord a bar. */
export function makeSong(options: {
  name: string;
  bpm: number;
  /** The tonic as a MIDI note, 60 to 71. */
  keynoteMidi: number;
  /** Of full scale. */
  amplitudeRatio?: number;
  /** Half a second from here is clipped. */
  clippedAtSeconds?: number;
}): TestSong {
  const { bpm, keynoteMidi, amplitudeRatio = 0.5, clippedAtSeconds } = options;
  const beatSeconds = 60 / bpm;
  const samples = Float64Array.from({ length: SONG_SECONDS * SAMPLE_RATE_HZ }, (_, n) => {
    const seconds = n / SAMPLE_RATE_HZ;
    const beat = Math.floor(seconds / beatSeconds);
    const sinceBeatSeconds = seconds - beat * beatSeconds;
    const sinceEighthSeconds = seconds % (beatSeconds / 2);
    const kick =
      Math.exp(-sinceBeatSeconds * 28) *
      Math.sin(2 * Math.PI * (55 * sinceBeatSeconds + 3 * (1 - Math.exp(-sinceBeatSeconds * 40))));
    // A hash of the sample index as noise, the same on every machine.
    const hiss = Math.sin(n * 12.9898) * 43_758.5453;
    const hat = Math.exp(-sinceEighthSeconds * 90) * (2 * (hiss - Math.floor(hiss)) - 1);
    const rootMidi = keynoteMidi + ([0, 5, 7, 0][Math.floor(beat / 4) % 4] ?? 0);
    const chord = [rootMidi, rootMidi + 4, rootMidi + 7, rootMidi - 12].reduce(
      (sum, midi) => sum + Math.sin(2 * Math.PI * 440 * 2 ** ((midi - 69) / 12) * seconds),
      0,
    );
    return amplitudeRatio * (0.8 * kick * (beat % 4 === 0 ? 1 : 0.7) + 0.15 * hat + 0.12 * chord);
  });
  const clippedFromSample =
    clippedAtSeconds === undefined ? Number.POSITIVE_INFINITY : clippedAtSeconds * SAMPLE_RATE_HZ;
  const driven = Int16Array.from(samples, (sample, n) => {
    const gain = n >= clippedFromSample && n < clippedFromSample + SAMPLE_RATE_HZ / 2 ? 8 : 1;
    return Math.round(32_767 * Math.max(-1, Math.min(1, gain * sample)));
  });
  const wav = wavBytes(driven, { sampleRateHz: SAMPLE_RATE_HZ });
  return { name: options.name, mimeType: 'audio/wav', buffer: wav };
}
