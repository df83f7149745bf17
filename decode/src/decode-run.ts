import type { PcmBlock } from '@earshot/engine';
import type { DecodeSummary } from './audio-file-info.ts';
import type { SandboxedChild } from './child-process.ts';
import { DecodeError, isDecodeErrorCode } from './decode-error.ts';
import type { DecodeLimits } from './limits.ts';
import type { EndMessage, ErrorMessage, Message, StartMessage, WallsMessage } from './messages.ts';
import { safeText } from './safe-text.ts';

/** With fewer bytes per declared second the header lies: digital silence in FLAC takes three times as many. */
const PLAUSIBLE_BYTES_PER_SECOND = 50;

/** Chosen: what a file says about itself takes a few thousand bytes. */
const JSON_BYTES_MAX = 256 * 1024;

type RunOptions = {
  signal?: AbortSignal;
  onProgress?: (fractionOfBytes: number) => void;
  reuseBlocks?: boolean;
};

/** The parent's side of one decode: reads and counts the child's messages, and kills the child when it exceeds a limit. */
export class DecodeRun {
  readonly #child: SandboxedChild;
  readonly #limits: DecodeLimits;
  readonly #options: RunOptions;
  readonly #blocks: AsyncGenerator<PcmBlock, void>;
  #waitedMs = 0;
  #sampleRateHz = 0;
  #channelCount = 0;
  #decodedSamples = 0;
  /** The first reason for which the decode was ended; null while it goes on. */
  #failure: unknown = null;
  #summary: DecodeSummary | null = null;

  constructor(child: SandboxedChild, limits: DecodeLimits, options: RunOptions) {
    this.#child = child;
    this.#limits = limits;
    this.#options = options;
    this.#blocks = this.#readBlocks();
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    // It may have been aborted while the child was being started.
    if (options.signal?.aborted) this.#onAbort();
  }

  async readStart(): Promise<StartMessage> {
    try {
      await this.#checkWalls();
      const message = await this.#next();
      if (message.kind !== 'start') throw unexpected();
      const start = readJson(message, (said: StartMessage) => checkStart(said, this.#limits));
      this.#sampleRateHz = start.info.sampleRateHz;
      this.#channelCount = start.info.channels;
      this.#child.removeDirectory();
      return start;
    } catch (error) {
      throw await this.#stop(error);
    }
  }

  /** The child names the walls before it reads any input, so this message can be trusted. */
  async #checkWalls(): Promise<void> {
    const message = await this.#next();
    if (message.kind !== 'walls') throw unexpected();
    const missing = readJson(message, ({ walls }: WallsMessage) =>
      this.#child.walls.filter((wall) => !walls.includes(wall)),
    );
    if (missing.length === 0) return;
    const cause = `walls missing: ${missing.join(', ')}`;
    throw new DecodeError('decoder_failed', 'The decoder failed.', { cause });
  }

  blocks(): AsyncIterable<PcmBlock> {
    return this.#blocks;
  }

  async finish(): Promise<DecodeSummary> {
    for await (const _ of this.#blocks);
    if (this.#summary) return this.#summary;
    throw this.#failure;
  }

  kill(): void {
    this.fail(new DecodeError('decoder_failed', 'The decode was stopped before its end.'));
  }

  /** Ends the child; whatever is awaited rejects with the first `reason`, even if the child's last messages have arrived. */
  fail(reason: unknown): void {
    if (this.#summary) return;
    this.#failure ??= reason;
    // Nobody may ever read on, so the abort listener and the socket are let go here.
    void this.#release();
  }

  readonly #onAbort = (): void => this.fail(this.#options.signal!.reason);

  async *#readBlocks(): AsyncGenerator<PcmBlock, void> {
    try {
      let message = await this.#next();
      for (; message.kind !== 'end'; message = await this.#next()) {
        const block = this.#blockOf(message);
        this.#options.onProgress?.(message.fraction);
        yield block;
        if (this.#options.reuseBlocks) this.#child.messages.recycle(message.payload);
      }
      this.#summary = readJson(message, ({ nonFiniteSamples, damage }: EndMessage) => ({
        decodedSamples: this.#decodedSamples,
        durationSeconds: this.#decodedSamples / this.#sampleRateHz,
        nonFiniteSamples,
        damage,
      }));
      await this.#release();
      this.#options.onProgress?.(1);
    } catch (error) {
      throw await this.#stop(error);
    } finally {
      // Also reached when the consumer leaves its loop early.
      if (!this.#summary)
        await this.#stop(new DecodeError('decoder_failed', 'The audio was not read to its end.'));
    }
  }

  #blockOf(message: Message): PcmBlock {
    const length = message.payload.byteLength / (Float32Array.BYTES_PER_ELEMENT * this.#channelCount);
    if (message.kind !== 'samples' || !Number.isInteger(length)) throw unexpected();
    const samples = new Float32Array(message.payload);
    this.#decodedSamples += length;
    if (this.#decodedSamples > this.#limits.durationSecondsMax * this.#sampleRateHz)
      throw tooLong(this.#limits);
    return {
      channels: Array.from({ length: this.#channelCount }, (_, channel) =>
        samples.subarray(channel * length, (channel + 1) * length),
      ),
    };
  }

  /** The next message that is not an error. */
  async #next(): Promise<Message> {
    const message = await this.#wait();
    if (message.kind !== 'error') return message;
    throw readJson(message, ({ code, message: sentence, detail }: ErrorMessage) => {
      return new DecodeError(isDecodeErrorCode(code) ? code : 'decoder_failed', sentence, { cause: detail });
    });
  }

  async #wait(): Promise<Message> {
    const { stallSecondsMax, wallSecondsMax } = this.#limits;
    const waitMs = Math.min(stallSecondsMax * 1000, wallSecondsMax * 1000 - this.#waitedMs);
    const startedMs = performance.now();
    const timer = setTimeout(() => this.fail(timedOut()), Math.max(0, waitMs));
    try {
      const message = await this.#child.messages.next();
      if (message && this.#failure === null) return message;
    } catch (error) {
      this.#failure ??= new DecodeError('decoder_failed', 'The decoder failed.', { cause: error });
    } finally {
      clearTimeout(timer);
      this.#waitedMs += performance.now() - startedMs;
    }
    throw this.#failure ?? (await this.#explainExit());
  }

  async #explainExit(): Promise<unknown> {
    const { code, signal } = await this.#child.exited;
    if (this.#failure) return this.#failure;
    const complaints = this.#child.complaints();
    const cause = `exit code ${code}, signal ${signal}: ${complaints}`;
    if (signal === 'SIGXCPU') return timedOut(cause);
    if (/out of memory|allocation failed/i.test(complaints)) return outOfMemory(cause);
    return new DecodeError('decoder_failed', 'The decoder failed.', { cause });
  }

  failForMemory(): void {
    this.fail(outOfMemory('resident memory'));
  }

  /** Resolves to the error to throw: the first reason for which the decode was ended. */
  async #stop(reason: unknown): Promise<unknown> {
    this.fail(reason);
    await this.#release();
    return this.#failure ?? reason;
  }

  async #release(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#child.kill();
    await this.#child.exited;
    this.#child.closeOutput();
  }
}

function checkStart(start: StartMessage, limits: DecodeLimits): StartMessage {
  const { channels, sampleRateHz, declaredDurationSeconds, byteSize } = start.info;
  if (!Number.isInteger(channels) || channels < 1) throw unexpected();
  if (channels > limits.channelsMax) {
    throw new DecodeError(
      'too_many_channels',
      `The audio has ${channels} channels; at most ${limits.channelsMax} are accepted.`,
    );
  }
  if (!(sampleRateHz >= limits.sampleRateHzMin && sampleRateHz <= limits.sampleRateHzMax)) {
    throw new DecodeError(
      'sample_rate_out_of_range',
      `The sample rate is ${sampleRateHz} Hz; ${limits.sampleRateHzMin} to ${limits.sampleRateHzMax} Hz are accepted.`,
    );
  }
  // An honest header saves hours of decoding. One that claims too little is caught by the count of the samples that arrive.
  const isPlausible = byteSize >= PLAUSIBLE_BYTES_PER_SECOND * (declaredDurationSeconds ?? 0);
  if (isPlausible && (declaredDurationSeconds ?? 0) > limits.durationSecondsMax) throw tooLong(limits);
  return start;
}

/** All text of a file leaves the decoder through this function. Invalid UTF-8 becomes U+FFFD. */
function readJson<T, R>(message: Message, read: (said: T) => R): R {
  if (message.payload.byteLength > JSON_BYTES_MAX) throw unexpected();
  const text = new TextDecoder().decode(message.payload);
  try {
    return read(
      // `detail` is a stack trace for the log, which escapes it as JSON.
      JSON.parse(text, (key, value) =>
        typeof value !== 'string' || key === 'detail' ? value : safeText(value),
      ),
    );
  } catch (error) {
    throw error instanceof DecodeError ? error : unexpected(error);
  }
}

function unexpected(cause: unknown = 'message out of order'): DecodeError {
  return new DecodeError('decoder_failed', 'The decoder failed.', { cause });
}

function tooLong(limits: DecodeLimits): DecodeError {
  const minutes = Math.round((limits.durationSecondsMax / 60) * 10) / 10;
  return new DecodeError('too_long', `The audio is longer than the ${minutes} minutes that are accepted.`);
}

function timedOut(cause?: string): DecodeError {
  return new DecodeError('timed_out', 'Decoding the file took too long.', { cause });
}

function outOfMemory(cause: string): DecodeError {
  return new DecodeError('out_of_memory', 'Decoding the file takes more memory than it may.', { cause });
}
