import { describe, expect, it, vi } from 'vitest';
import type { SandboxedChild } from './child-process.ts';
import { DecodeRun } from './decode-run.ts';
import { DEFAULT_LIMITS } from './limits.ts';
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
    complaints: () => '',
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

describe('a short decode of which everything has arrived', () => {
  const whole = () => endedChild(['walls', { walls: [] }], ['start', START], samples(8), ['end', END]);

  it('rejects with the reason of an abort', async () => {
    const controller = new AbortController();
    const run = await startRun(whole(), controller.signal);
    const reason = new Error('cancelled by the user');
    controller.abort(reason);
    await expect(run.finish()).rejects.toBe(reason);
  });

  it('releases its socket and its abort listener when it is killed and never read', async () => {
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const child = whole();
    const run = await startRun(child, controller.signal);
    run.kill();
    await child.exited;
    expect(child.kill).toHaveBeenCalled();
    expect(child.closeOutput).toHaveBeenCalled();
    expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
  });
});
