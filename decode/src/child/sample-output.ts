import { writeSync } from 'node:fs';
import { type Samples, sampleCountOf } from '../containers/audio-stream.ts';
import { encodeHeader, type MessageKind } from '../messages.ts';

const BLOCK_SAMPLES_MAX = 16_384;
/** +18 dBFS. Decoders overshoot full scale by a few dB; what lies beyond is a broken stream. */
const PLAUSIBLE_MAX = 8;

/** Writes messages to the parent. The pipe is blocking: a slow consumer stops the decoder here, at no cost. */
export class SampleOutput {
  readonly #fd: number;
  decodedSamples = 0;
  /** Over all channels. */
  nonFiniteSamples = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  writeJson(kind: Exclude<MessageKind, 'samples'>, value: unknown): void {
    this.#write(kind, new TextEncoder().encode(JSON.stringify(value)), 0);
  }

  writeSamples(samples: Samples, fraction: number): void {
    const count = sampleCountOf(samples);
    for (let from = 0; from < count; from += BLOCK_SAMPLES_MAX) {
      const length = Math.min(BLOCK_SAMPLES_MAX, count - from);
      const planar = new Float32Array(length * samples.length);
      for (const [index, channel] of samples.entries()) {
        this.nonFiniteSamples += copyPlausible(
          channel,
          from,
          planar.subarray(index * length, (index + 1) * length),
        );
      }
      this.#write('samples', new Uint8Array(planar.buffer), fraction);
      this.decodedSamples += length;
    }
  }

  #write(kind: MessageKind, payload: Uint8Array, fraction: number): void {
    this.#writeAll(encodeHeader(kind, payload.length, fraction));
    this.#writeAll(payload);
  }

  #writeAll(bytes: Uint8Array): void {
    let offset = 0;
    while (offset < bytes.length) {
      try {
        offset += writeSync(this.#fd, bytes, offset);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    }
  }
}

/** Copies what can be sound and leaves zeros for the rest; returns how many those are. */
function copyPlausible(source: Float32Array, from: number, target: Float32Array): number {
  let implausible = 0;
  for (let i = 0; i < target.length; i++) {
    const value = source[from + i]!;
    // Written so that NaN fails the comparison.
    if (value <= PLAUSIBLE_MAX && value >= -PLAUSIBLE_MAX) target[i] = value;
    else implausible++;
  }
  return implausible;
}
