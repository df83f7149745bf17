import type { PcmBlock, PcmFormat } from '@earshot/engine';
import type { DecodeSummary } from './audio-file-info.ts';
import type { SandboxedChild } from './child-process.ts';
import { DecodeError, isDecodeErrorCode } from './decode-error.ts';
import type { DecodeLimits } from './limits.ts';
import type { EndMessage, ErrorMessage, Message, StartMessage, WallsMessage } from './messages.ts';
import { safeText } from './safe-text.ts';

/** A header that declares fewer is wrong: even digital silence in FLAC takes three times as many. */
const PLAUSIBLE_BYTES_PER_SECOND = 50;

/** The metadata of a file takes a few thousand bytes. */
const JSON_BYTES_MAX = 256 * 1024;

/** The `cause` for the log when the child does not keep to the order walls, start, samples, end. */
const OUT_OF_ORDER = 'message out of order';

export type RunOptions = {
  /** Kills the child; pending promises reject with the reason of the signal. */
  signal?: AbortSignal;
  /** Called for each block with the share of the file read so far, 0..1, and with 1 at the end. */
  onProgress?: (fractionOfBytes: number) => void;
  /** Relieves the garbage collector: a block is valid only until the next is requested, which may reuse its memory. */
  reuseBlocks?: boolean;
};

/** The parent's side of a decode: reads the child's messages, and kills the child when it exceeds a limit. */
export class DecodeRun {
  readonly #child: SandboxedChild;
  readonly #limits: DecodeLimits;
  readonly #options: RunOptions;
  readonly #blocks: AsyncGenerator<PcmBlock, void>;
  #waitedMs = 0;
  /** Null until `readStart` has resolved. */
  #format: PcmFormat | null = null;
  #decodedSamples = 0;
  /** The first reason for stopping; null while the decode is running. */
  #failure: unknown = null;
  #summary: DecodeSummary | null = null;

  constructor(child: SandboxedChild, limits: DecodeLimits, options: RunOptions) {
    this.#child = child;
    this.#limits = limits;
    this.#options = options;
    this.#blocks = this.#readBlocks();
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    // It may have been aborted while the child was starting.
    if (options.signal?.aborted) this.#onAbort();
  }

  async readStart(): Promise<StartMessage> {
    try {
      await this.#checkWalls();
      const message = await this.#next();
      if (message.kind !== 'start') throw decoderFailed(OUT_OF_ORDER);
      const start = readJson(message, (content: StartMessage) => checkStart(content, this.#limits));
      this.#format = { sampleRateHz: start.info.sampleRateHz, channelCount: start.info.channels };
      this.#child.removeDirectory();
      return start;
    } catch (error) {
      throw await this.#stop(error);
    }
  }

  /** The child reports its walls before it reads any input, so this message can be trusted. */
  async #checkWalls(): Promise<void> {
    const message = await this.#next();
    if (message.kind !== 'walls') throw decoderFailed(OUT_OF_ORDER);
    const missing = readJson(message, ({ walls }: WallsMessage) =>
      this.#child.walls.filter((wall) => !walls.includes(wall)),
    );
    if (missing.length === 0) return;
    throw decoderFailed(`walls missing: ${missing.join(', ')}`);
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

  /** Kills the child. Pending promises reject with the first `reason`, even if all messages have arrived. */
  fail(reason: unknown): void {
    this.#failure ??= reason;
    // The consumer may never read again, so the abort listener and the socket are released here.
    void this.#release();
  }

  readonly #onAbort = (): void => this.fail(this.#options.signal!.reason);

  async *#readBlocks(): AsyncGenerator<PcmBlock, void> {
    const { sampleRateHz, channelCount } = this.#format!;
    try {
      let message = await this.#next();
      for (; message.kind !== 'end'; message = await this.#next()) {
        const block = this.#blockOf(message, sampleRateHz, channelCount);
        this.#options.onProgress?.(message.fraction);
        yield block;
        if (this.#options.reuseBlocks) this.#child.messages.recycle(message.payload);
      }
      this.#summary = readJson(message, ({ nonFiniteSamples, damage }: EndMessage) => ({
        decodedSamples: this.#decodedSamples,
        durationSeconds: this.#decodedSamples / sampleRateHz,
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

  #blockOf(message: Message, sampleRateHz: number, channelCount: number): PcmBlock {
    const sampleCount = message.payload.byteLength / (Float32Array.BYTES_PER_ELEMENT * channelCount);
    if (message.kind !== 'samples') throw decoderFailed(OUT_OF_ORDER);
    if (!Number.isInteger(sampleCount)) throw decoderFailed('a part of a sample');
    const samples = new Float32Array(message.payload);
    this.#decodedSamples += sampleCount;
    if (this.#decodedSamples > this.#limits.durationSecondsMax * sampleRateHz) throw tooLong(this.#limits);
    return {
      channels: Array.from({ length: channelCount }, (_, channel) =>
        samples.subarray(channel * sampleCount, (channel + 1) * sampleCount),
      ),
    };
  }

  /** The next message; throws if it is an error. */
  async #next(): Promise<Message> {
    const message = await this.#wait();
    if (message.kind !== 'error') return message;
    throw readJson(message, ({ code, message: text, detail }: ErrorMessage) => {
      return new DecodeError(isDecodeErrorCode(code) ? code : 'decoder_failed', text, { cause: detail });
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
      this.#failure ??= decoderFailed(error);
    } finally {
      clearTimeout(timer);
      this.#waitedMs += performance.now() - startedMs;
    }
    throw this.#failure ?? (await this.#explainExit());
  }

  async #explainExit(): Promise<unknown> {
    const { code, signal } = await this.#child.exited;
    const errorOutput = this.#child.errorOutput();
    const cause = `exit code ${code}, signal ${signal}: ${errorOutput}`;
    if (signal === 'SIGXCPU') return timedOut(cause);
    if (/out of memory|allocation failed/i.test(errorOutput)) return outOfMemory(cause);
    return decoderFailed(cause);
  }

  failForMemory(): void {
    this.fail(outOfMemory('resident memory'));
  }

  /** Resolves to the error to throw: the first reason for stopping. */
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
  if (!Number.isInteger(channels) || channels < 1) throw decoderFailed('an impossible channel count');
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
  // A plausible header saves hours of decoding. Audio longer than declared is caught by counting the samples that arrive.
  const isPlausible = byteSize >= PLAUSIBLE_BYTES_PER_SECOND * (declaredDurationSeconds ?? 0);
  if (isPlausible && (declaredDurationSeconds ?? 0) > limits.durationSecondsMax) throw tooLong(limits);
  return start;
}

/** All text that comes from a file passes through here. Invalid UTF-8 becomes U+FFFD. */
function readJson<T, R>(message: Message, read: (content: T) => R): R {
  if (message.payload.byteLength > JSON_BYTES_MAX) throw decoderFailed('too much JSON');
  const text = new TextDecoder().decode(message.payload);
  try {
    return read(
      // `detail` is a stack trace for the log, which escapes it as JSON.
      JSON.parse(text, (key, value) =>
        typeof value !== 'string' || key === 'detail' ? value : safeText(value),
      ),
    );
  } catch (error) {
    throw error instanceof DecodeError ? error : decoderFailed(error);
  }
}

function decoderFailed(cause: unknown): DecodeError {
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
