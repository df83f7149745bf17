import { writevSync } from 'node:fs';
import { encodeHeader, type MessageKind } from '../messages.ts';
import { type Samples, sampleCountOf } from '../stream/audio-stream.ts';

/** A third of a second. Eight channels take half a megabyte, well below the limit of a message (messages.ts). */
const BLOCK_SAMPLES_MAX = 16_384;
/** +18 dBFS. Decoders overshoot full scale by a few dB; larger values come from a broken stream. */
const PLAUSIBLE_MAX = 8;
/**
 * Without their sign bit, floats compare like integers, with infinity and NaN above all numbers, so a single integer comparison detects
 * every implausible value.
 */
const MAGNITUDE_BITS = 0x7fff_ffff;
const PLAUSIBLE_MAX_BITS = new Uint32Array(Float32Array.of(PLAUSIBLE_MAX).buffer)[0]!;
/** This exponent bit is set in exactly the floats of magnitude 2 or more, infinity and NaN. */
const TWO_OR_MORE_BIT = 0x4000_0000;

/** The delay before writing again to a full pipe, on a platform that made it non-blocking. Shorter than a block of audio. */
const FULL_PIPE_WAIT_MS = 5;

/** Writes messages to the parent. The pipe blocks, so a slow consumer suspends the decoder here at no cost. */
export class SampleOutput {
  readonly #fd: number;
  decodedSamples = 0;
  /** Over all channels, including finite ones beyond PLAUSIBLE_MAX. The name is that of the interface. */
  nonFiniteSamples = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  writeJson(kind: Exclude<MessageKind, 'samples'>, value: unknown): void {
    this.#write(kind, [new TextEncoder().encode(JSON.stringify(value))], 0);
  }

  /** Replaces implausible samples by 0, unless the codec has done so: then `silencedSamples` is its count since the start. */
  writeSamples(samples: Samples, fraction: number, silencedSamples: number | null): void {
    const sampleCount = sampleCountOf(samples);
    if (silencedSamples !== null) this.nonFiniteSamples = silencedSamples;
    else for (const channel of samples) this.nonFiniteSamples += silenceImplausible(channel);
    for (let from = 0; from < sampleCount; from += BLOCK_SAMPLES_MAX) {
      const blockSamples = Math.min(BLOCK_SAMPLES_MAX, sampleCount - from);
      const parts = samples.map((channel) => bytesOf(channel.subarray(from, from + blockSamples)));
      this.#write('samples', parts, fraction);
      this.decodedSamples += blockSamples;
    }
  }

  #write(kind: MessageKind, payload: Uint8Array[], fraction: number): void {
    const payloadBytes = payload.reduce((sum, part) => sum + part.length, 0);
    let parts = [encodeHeader(kind, payloadBytes, fraction), ...payload];
    while (parts.length > 0) {
      try {
        parts = dropBytes(parts, writevSync(this.#fd, parts));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_WAIT_MS);
      }
    }
  }
}

function bytesOf(samples: Float32Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** The rest of `parts` without their first `writtenBytes`. */
function dropBytes(parts: Uint8Array[], writtenBytes: number): Uint8Array[] {
  let leftBytes = writtenBytes;
  let droppedCount = 0;
  while (parts[droppedCount] && leftBytes >= parts[droppedCount]!.length)
    leftBytes -= parts[droppedCount++]!.length;
  const rest = parts.slice(droppedCount);
  return leftBytes === 0 ? rest : [rest[0]!.subarray(leftBytes), ...rest.slice(1)];
}

/** Returns how many samples it set to 0. */
function silenceImplausible(samples: Float32Array): number {
  const words = new Uint32Array(samples.buffer, samples.byteOffset, samples.length);
  // Audio almost always stays below 2, which combining all samples shows without a comparison for each.
  let anyBits = 0;
  for (let i = 0; i < words.length; i++) anyBits |= words[i]!;
  if ((anyBits & TWO_OR_MORE_BIT) === 0) return 0;
  let implausibleCount = 0;
  for (let i = 0; i < words.length; i++) {
    if ((words[i]! & MAGNITUDE_BITS) <= PLAUSIBLE_MAX_BITS) continue;
    words[i] = 0;
    implausibleCount++;
  }
  return implausibleCount;
}
