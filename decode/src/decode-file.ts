import { constants, open } from 'node:fs/promises';
import type { PcmBlock, PcmFormat } from '@earshot/engine';
import type { AudioFileInfo, DecodeSummary } from './audio-file-info.ts';
import { childEntry, type SandboxedChild, startSandboxed } from './child-process.ts';
import { DecodeError, noAudio, unsupported } from './decode-error.ts';
import { DecodeRun } from './decode-run.ts';
import { DEFAULT_LIMITS, type DecodeLimits } from './limits.ts';
import type { WallsMessage } from './messages.ts';
import type { SandboxWall } from './walls.ts';

export type DecodeOptions = {
  limits?: Partial<DecodeLimits>;
  /** Kills the child; whatever is awaited then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called once per block with the share of the file read so far, 0..1. */
  onProgress?: (fractionOfBytes: number) => void;
  /** A block is valid only until the next one is requested, which may reuse its memory: less work for the garbage collector. */
  reuseBlocks?: boolean;
};

/** One file being decoded. Read `blocks` to its end or call `kill`: until then a child process waits. */
export type DecodeSession = {
  info: AudioFileInfo;
  format: PcmFormat;
  /** Can be read once. Leaving the loop early kills the child. */
  blocks: AsyncIterable<PcmBlock>;
  /** Reads and drops the remaining blocks, then resolves. Rejects with what `blocks` throws. */
  finish(): Promise<DecodeSummary>;
  kill(): void;
  /** The walls the child runs behind. */
  walls: SandboxWall[];
};

/** Starts to decode the file. Rejects with a DecodeError if it is not audio, or not audio we can decode. */
export function decodeFile(path: string, options: DecodeOptions = {}): Promise<DecodeSession> {
  return decodeFileWith({ entry: childEntry(), args: [] }, path, options);
}

/** Like `decodeFile`, with another program behind the walls; tests use hostile ones. */
export async function decodeFileWith(
  program: { entry: string; args: string[] },
  path: string,
  options: DecodeOptions = {},
): Promise<DecodeSession> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  options.signal?.throwIfAborted();
  // Without O_NONBLOCK, opening a pipe that nobody writes to would block.
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
 * The walls that this machine grants the decoder. A child is started, which tries them and reads nothing. Rejects if no child can be
 * started, or if it has not answered and exited within `timeoutMs`.
 */
export async function activeWalls(
  program = { entry: childEntry(), args: ['walls'] },
  timeoutMs = DEFAULT_LIMITS.stallSecondsMax * 1000,
): Promise<SandboxWall[]> {
  const nothing = await open(process.platform === 'win32' ? childEntry() : '/dev/null', constants.O_RDONLY);
  let child: SandboxedChild;
  try {
    child = await startSandboxed(program.entry, program.args, nothing.fd, DEFAULT_LIMITS, () => {});
  } finally {
    await nothing.close();
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
    cause: `${ending}: ${child.complaints()}`,
  });
}
