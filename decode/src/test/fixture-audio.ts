import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAudio } from '../child/open-audio.ts';
import { joinSamples } from '../codecs/packet-decoder.ts';
import type { AudioStream, Samples } from '../stream/audio-stream.ts';
import { memorySource } from './memory-source.ts';

/** The tones of scripts/make-audio-fixtures.sh, in WAV order. */
export const STEREO_TONES = [
  { hz: 440, level: 0.5 },
  { hz: 880, level: 0.25 },
] as const;
export const SURROUND_TONES = [300, 400, 500, 60, 700, 800].map((hz) => ({ hz, level: 0.3 }));

export function fixturePath(name: string): string {
  return fileURLToPath(new URL(path.posix.join('../../fixtures', name), import.meta.url));
}

export function fixtureBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(fixturePath(name)));
}

/** The fixture with the first `before` overwritten by `after`. */
export function fixtureWith(name: string, before: string, after: string): Uint8Array {
  const bytes = Buffer.from(fixtureBytes(name));
  const at = bytes.indexOf(before, 0, 'latin1');
  if (at < 0) throw new Error(`${name} has no ${before}`);
  bytes.write(after, at, 'latin1');
  return bytes;
}

type DecodedAudio = { stream: AudioStream; samples: Samples };

/** Decodes in this process, without the sandbox. */
export async function decodeBytes(bytes: Uint8Array): Promise<DecodedAudio> {
  const { stream } = await openAudio(memorySource(bytes));
  const pieces: Samples[] = [];
  for await (const block of stream.blocks) pieces.push(block);
  return { stream, samples: joinSamples([[], ...pieces], stream.channelCount) };
}

/** The tone as scripts/make-audio-fixtures.sh stores it in 16 bits, as floats. */
export function storedTone(
  hz: number,
  level: number,
  sampleRateHz: number,
  sampleCount: number,
): Float32Array {
  return Float32Array.from({ length: sampleCount }, (_, i) => {
    return Math.floor(32767 * level * Math.sin((2 * Math.PI * hz * i) / sampleRateHz) + 0.5) / 32768;
  });
}

/** The level of the tone at `hz` in the middle half, and the level of everything else there. */
export function measureTone(
  samples: Float32Array,
  sampleRateHz: number,
  hz: number,
): { level: number; rest: number } {
  const from = Math.floor(samples.length / 4);
  const periods = Math.floor(((samples.length / 2) * hz) / sampleRateHz);
  const count = Math.round((periods * sampleRateHz) / hz);
  let sine = 0;
  let cosine = 0;
  let energy = 0;
  for (let i = 0; i < count; i++) {
    const value = samples[from + i]!;
    const phase = (2 * Math.PI * hz * i) / sampleRateHz;
    sine += value * Math.sin(phase);
    cosine += value * Math.cos(phase);
    energy += value * value;
  }
  const level = (2 / count) * Math.hypot(sine, cosine);
  return { level, rest: Math.sqrt(Math.max(0, (2 * energy) / count - level * level)) };
}
