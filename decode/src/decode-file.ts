import { constants, open } from 'node:fs/promises';
import type { PcmBlock, PcmFormat } from '@earshot/engine';
import type { AudioFileInfo, DecodeSummary } from './audio-file-info.ts';
import { childEntry, type SandboxedChild, startSandboxed } from './child-process.ts';
import { DecodeError, noAudio, unsupported } from './decode-error.ts';
import { DecodeRun, type RunOptions } from './decode-run.ts';
import { DEFAULT_LIMITS, type DecodeLimits } from './limits.ts';
import type { WallsMessage } from './messages.ts';
import type { SandboxWall } from './walls.ts';

export type DecodeOptions = RunOptions & { limits?: Partial<DecodeLimits> };

/** A file being decoded. Until `blocks` has been read to its end or `kill` was called, a child process waits. */
export type DecodeSession = {
  info: AudioFileInfo;
  format: PcmFormat;
  /** Can be read once. Leaving the loop early kills the child. */
  blocks: AsyncIterable<PcmBlock>;
  /** Discards the remaining blocks, then resolves. Rejects with the error that `blocks` throws. */
  finish(): Promise<DecodeSummary>;
  kill(): void;
  /** The walls the child runs behind. */
  walls: SandboxWall[];
};

/** Starts decoding. Rejects with a DecodeError if the file is not audio, or not of a supported format. */
export function decodeFile(path: string, options: DecodeOptions = {}): Promise<DecodeSession> {
  return decodeFileWith({ entry: childEntry(), args: [] }, path, options);
}

/** `decodeFile` with another program behind the walls; tests use hostile ones. */
export async function decodeFileWith(
  program: { entry: string; args: string[] },
  path: string,
  options: DecodeOptions = {},
): Promise<DecodeSession> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  options.signal?.throwIfAborted();
  // Without O_NONBLOCK, opening a pipe that has no writer would block.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let run: DecodeRun;
  let child: SandboxedChild;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw unsupported('This is not a file.');
    if (stat.size === 0) throw noAudio('The file is empty.');
    if (stat.size > limits.inputBytesMax) {
      throw new DecodeError(
        'too_large',
        `The file has ${stat.size} bytes; at most ${limits.inputBytesMax} are accepted.`,
      );
    }
    child = await startSandboxed(program.entry, program.args, file.fd, limits, () => run.failForMemory());
    run = new DecodeRun(child, limits, options);
  } finally {
    await file.close();
  }
  const { info } = await run.readStart();
  return {
    info,
    format: { sampleRateHz: info.sampleRateHz, channelCount: info.channels },
    blocks: run.blocks(),
    finish: () => run.finish(),
    kill: () => run.kill(),
    walls: child.walls,
  };
}

/**
 * The walls that this machine grants the decoder, as reported by a child that tests them and reads nothing. Rejects if the child cannot
 * be started, or has not answered and exited within `timeoutMs`.
 */
export async function activeWalls(
  program = { entry: childEntry(), args: ['walls'] },
  timeoutMs = DEFAULT_LIMITS.stallSecondsMax * 1000,
): Promise<SandboxWall[]> {
  const input = await open(process.platform === 'win32' ? childEntry() : '/dev/null', constants.O_RDONLY);
  let child: SandboxedChild;
  try {
    child = await startSandboxed(program.entry, program.args, input.fd, DEFAULT_LIMITS, () => {});
  } finally {
    await input.close();
  }
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill();
  }, timeoutMs);
  const message = await child.messages.next().catch(() => null);
  const { code, signal } = await child.exited;
  clearTimeout(timer);
  child.closeOutput();
  if (message?.kind === 'walls' && !isLate)
    return (JSON.parse(new TextDecoder().decode(message.payload)) as WallsMessage).walls;
  const ending = isLate ? `no answer within ${timeoutMs / 1000} s` : `exit code ${code}, signal ${signal}`;
  throw new DecodeError('decoder_failed', 'The decoder cannot be started.', {
    cause: `${ending}: ${child.errorOutput()}`,
  });
}
