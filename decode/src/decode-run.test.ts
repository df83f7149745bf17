import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SandboxedChild } from './child-process.ts';
import { DecodeRun } from './decode-run.ts';
import { DEFAULT_LIMITS, type DecodeLimits } from './limits.ts';
import { encodeHeader, type MessageKind, MessageReader } from './messages.ts';

const START = {
  info: { channels: 1, sampleRateHz: 8_000, declaredDurationSeconds: null, byteSize: 100, tags: {} },
};
const END = { nonFiniteSamples: 0, damage: null };

/** A child whose messages have all arrived, and which then exited. */
function endedChild(...messages: [kind: MessageKind, payload: Uint8Array | object][]) {
  const reader = new MessageReader();
  for (const [kind, content] of messages) {
    const payload =
      content instanceof Uint8Array ? content : new TextEncoder().encode(JSON.stringify(content));
    for (const bytes of [encodeHeader(kind, payload.length, 0.5), payload]) {
      if (bytes.length > 0) reader.buffer().set(bytes);
      reader.received(bytes.length);
    }
  }
  reader.end(null);
  return {
    walls: [],
    messages: reader,
    errorOutput: () => '',
    exited: Promise.resolve({ code: 0, signal: null }),
    kill: vi.fn(),
    closeOutput: vi.fn(),
    removeDirectory: vi.fn(),
  } as unknown as SandboxedChild & Record<'kill' | 'closeOutput', ReturnType<typeof vi.fn>>;
}

const samples = (byteLength: number): [MessageKind, Uint8Array] => ['samples', new Uint8Array(byteLength)];

async function startRun(child: SandboxedChild, signal?: AbortSignal) {
  const run = new DecodeRun(child, DEFAULT_LIMITS, signal ? { signal } : {});
  await run.readStart();
  return run;
}

describe('a decode', () => {
  it('counts the samples that arrive', async () => {
    const run = await startRun(
      endedChild(['walls', { walls: [] }], ['start', START], samples(8), samples(4), ['end', END]),
    );
    expect(await run.finish()).toEqual({ decodedSamples: 3, durationSeconds: 3 / 8_000, ...END });
  });

  it('cuts a message into its channels, which lie one behind the other', async () => {
    const planar = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
    const stereo = { info: { ...START.info, channels: 2 } };
    const run = await startRun(
      endedChild(['walls', { walls: [] }], ['start', stereo], ['samples', planar], ['end', END]),
    );
    const blocks: number[][][] = [];
    for await (const { channels } of run.blocks()) blocks.push(channels.map((channel) => [...channel]));
    expect(blocks).toEqual([
      [
        [1, 2],
        [3, 4],
      ],
    ]);
  });

  it.each([
    ['half a sample', samples(6)],
    ['no multiple of four bytes', samples(3)],
    ['a second start', ['start', START]],
  ] satisfies [string, [MessageKind, Uint8Array | object]][])(
    'fails when the child sends %s',
    async (_, message) => {
      const run = await startRun(endedChild(['walls', { walls: [] }], ['start', START], message));
      await expect(run.finish()).rejects.toMatchObject({ name: 'DecodeError', code: 'decoder_failed' });
    },
  );

  it('fails when the child exits without an end', async () => {
    const run = await startRun(endedChild(['walls', { walls: [] }], ['start', START], samples(8)));
    await expect(run.finish()).rejects.toMatchObject({
      code: 'decoder_failed',
      cause: 'exit code 0, signal null: ',
    });
  });
});

describe('a short decode whose messages have all arrived', () => {
  const whole = () => endedChild(['walls', { walls: [] }], ['start', START], samples(8), ['end', END]);

  it('is killed by an abort, and rejects with its reason', async () => {
    const controller = new AbortController();
    const child = whole();
    const run = await startRun(child, controller.signal);
    const reason = new Error('cancelled by the user');
    controller.abort(reason);
    await expect(run.finish()).rejects.toBe(reason);
    expect(child.kill).toHaveBeenCalled();
  });

  it('is killed when the consumer leaves its loop', async () => {
    const child = whole();
    const run = await startRun(child);
    for await (const _ of run.blocks()) break;
    expect(child.kill).toHaveBeenCalled();
    await expect(run.finish()).rejects.toMatchObject({ code: 'decoder_failed' });
  });

  it.each([
    ['is killed without being read', (run: DecodeRun) => run.kill()],
    ['has been read', (run: DecodeRun) => run.finish()],
  ])('releases its socket and its abort listener when it %s', async (_, end) => {
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const child = whole();
    await end(await startRun(child, controller.signal));
    await child.exited;
    expect(child.kill).toHaveBeenCalled();
    expect(child.closeOutput).toHaveBeenCalled();
    expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
  });

  it('keeps its summary when it is killed after its end', async () => {
    const run = await startRun(whole());
    const summary = await run.finish();
    run.kill();
    expect(await run.finish()).toEqual(summary);
  });
});

describe('what the child declares', () => {
  const startOf = (info: object) => ({ info: { ...START.info, ...info } });
  const start = (content: object, limits: Partial<DecodeLimits> = {}) =>
    new DecodeRun(
      endedChild(['walls', { walls: [] }], ['start', content]),
      { ...DEFAULT_LIMITS, ...limits },
      {},
    ).readStart();

  it.each([
    ['8 channels', { channels: 8 }],
    ['2,000 Hz', { sampleRateHz: 2_000 }],
    ['384,000 Hz', { sampleRateHz: 384_000 }],
    ['three hours', { declaredDurationSeconds: 3 * 3_600, byteSize: 10 ** 9 }],
    [
      'a length that its 49 bytes per second cannot have',
      { declaredDurationSeconds: 20_000, byteSize: 980_000 },
    ],
  ])('is accepted with %s', async (_, info) => {
    expect(await start(startOf(info))).toEqual(startOf(info));
  });

  it.each([
    ['9 channels', { channels: 9 }, 'too_many_channels'],
    ['no channel', { channels: 0 }, 'decoder_failed'],
    ['half a channel', { channels: 1.5 }, 'decoder_failed'],
    ['1,999 Hz', { sampleRateHz: 1_999 }, 'sample_rate_out_of_range'],
    ['384,001 Hz', { sampleRateHz: 384_001 }, 'sample_rate_out_of_range'],
    ['no sample rate', { sampleRateHz: null }, 'sample_rate_out_of_range'],
    ['more than three hours', { declaredDurationSeconds: 20_000, byteSize: 1_000_000 }, 'too_long'],
  ])('is refused with %s', async (_, info, code) => {
    await expect(start(startOf(info))).rejects.toMatchObject({ code });
  });

  it('is refused in more than 256 KiB of JSON', async () => {
    const padded = (byteCount: number) => {
      const bytes = new Uint8Array(byteCount).fill(0x20);
      bytes.set(new TextEncoder().encode(JSON.stringify(START)));
      return start(bytes);
    };
    expect(await padded(256 * 1024)).toEqual(START);
    await expect(padded(256 * 1024 + 1)).rejects.toMatchObject({ code: 'decoder_failed' });
  });

  it('has no control characters in any of its texts', async () => {
    const { info } = await start(startOf({ tags: { title: 'a\0b\u202e' } }));
    expect(info.tags).toEqual({ title: 'a b' });
  });
});

describe('an error of the child', () => {
  const failWith = (content: object) => startRun(endedChild(['walls', { walls: [] }], ['error', content]));

  it('becomes the error of the decode: its text is made safe, its detail stays for the log', async () => {
    const error = failWith({ code: 'no_audio', message: 'Nothing\nhere.', detail: 'at a\nat b' });
    await expect(error).rejects.toMatchObject({
      code: 'no_audio',
      message: 'Nothing here.',
      cause: 'at a\nat b',
    });
  });

  it('with an unknown code is a failure of the decoder', async () => {
    await expect(failWith({ code: 'root', message: 'x', detail: '' })).rejects.toMatchObject({
      code: 'decoder_failed',
    });
  });
});

it.each([
  [{ signal: 'SIGXCPU' }, '', 'timed_out'],
  [{ code: 134 }, 'FATAL ERROR: JavaScript heap out of memory', 'out_of_memory'],
  [{ code: 1 }, 'something else', 'decoder_failed'],
])('a child that ends with %o and prints "%s" fails with the code %s', async (ending, text, code) => {
  const child = endedChild(['walls', { walls: [] }]);
  const exited = Promise.resolve({ code: null, signal: null, ...ending });
  const run = startRun({ ...child, exited, errorOutput: () => text } as SandboxedChild);
  await expect(run).rejects.toMatchObject({ code });
});

it('a child that is out of memory while it exits fails for its memory', async () => {
  let exit = (_: Awaited<SandboxedChild['exited']>) => {};
  const exited: SandboxedChild['exited'] = new Promise((resolve) => {
    exit = resolve;
  });
  const run = new DecodeRun({ ...endedChild(), exited }, DEFAULT_LIMITS, {});
  const started = run.readStart();
  // The end of its messages is read before its exit is known.
  await new Promise((done) => setImmediate(done));
  run.failForMemory();
  exit({ code: null, signal: 'SIGKILL' });
  await expect(started).rejects.toMatchObject({ code: 'out_of_memory' });
});

describe('while blocks arrive', () => {
  const blocks = (...messages: [MessageKind, Uint8Array | object][]) =>
    endedChild(['walls', { walls: [] }], ['start', START], ...messages);

  it('more samples than the limit of the duration are refused, whatever the header declares', async () => {
    const limits = { ...DEFAULT_LIMITS, durationSecondsMax: 3 / 8_000 };
    const decode = async (...messages: [MessageKind, Uint8Array | object][]) => {
      const run = new DecodeRun(blocks(...messages), limits, {});
      await run.readStart();
      return run.finish();
    };
    expect(await decode(samples(12), ['end', END])).toMatchObject({ decodedSamples: 3 });
    await expect(decode(samples(12), samples(4), ['end', END])).rejects.toMatchObject({ code: 'too_long' });
  });

  it('the memory of a block is given back only if the consumer allows it', async () => {
    for (const reuseBlocks of [true, false]) {
      const child = blocks(samples(8), ['end', END]);
      const recycle = vi.spyOn(child.messages, 'recycle');
      const run = new DecodeRun(child, DEFAULT_LIMITS, { reuseBlocks });
      await run.readStart();
      await run.finish();
      expect(recycle).toHaveBeenCalledTimes(reuseBlocks ? 1 : 0);
    }
  });

  it('progress is the share of the file that has been read, and 1 at the end', async () => {
    const fractions: number[] = [];
    const onProgress = (fraction: number) => fractions.push(fraction);
    const run = new DecodeRun(blocks(samples(8), ['end', END]), DEFAULT_LIMITS, { onProgress });
    await run.readStart();
    await run.finish();
    expect(fractions).toEqual([0.5, 1]);
  });
});

describe('the time spent waiting', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const limits = { ...DEFAULT_LIMITS, stallSecondsMax: 2, wallSecondsMax: 3 };

  /** A child whose next message arrives whenever `send` is called. */
  function runningChild() {
    const messages = new MessageReader();
    const send = (kind: MessageKind, content: object) => {
      const payload = new TextEncoder().encode(JSON.stringify(content));
      for (const bytes of [encodeHeader(kind, payload.length, 0), payload]) {
        messages.buffer().set(bytes);
        messages.received(bytes.length);
      }
    };
    // The end of a killed child closes its socket.
    const kill = vi.fn(() => messages.end(null));
    return { child: { ...endedChild(), messages, kill } as unknown as SandboxedChild, send };
  }

  it('for one message is limited', async () => {
    vi.useFakeTimers();
    const { child } = runningChild();
    const outcome = new DecodeRun(child, limits, {}).readStart().catch((error) => error.code);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(child.kill).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe('timed_out');
  });

  it('is limited in all, without the time that the consumer takes', async () => {
    vi.useFakeTimers();
    const { child, send } = runningChild();
    const run = new DecodeRun(child, limits, {});
    const started = run.readStart();
    await vi.advanceTimersByTimeAsync(1_500);
    send('walls', { walls: [] });
    await vi.advanceTimersByTimeAsync(1_400);
    send('start', START);
    await started;
    await vi.advanceTimersByTimeAsync(10_000);
    const outcome = run.finish().catch((error) => error.code);
    await vi.advanceTimersByTimeAsync(99);
    expect(child.kill).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe('timed_out');
  });
});
