import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { decodeHeader, HEADER_BYTES } from '../messages.ts';
import { SampleOutput } from './sample-output.ts';

/** What writevSync of one test does before it writes: limits the bytes, or throws. */
const beforeWrite = { bytesMax: Number.POSITIVE_INFINITY, failures: 0, code: 'EAGAIN' };
// vi.mock would not reach code that another test file of the same worker has loaded.
const writev = vi.spyOn(fs, 'writevSync').mockImplementation((fd, parts) => {
  if (beforeWrite.failures-- > 0) throw Object.assign(new Error('not written'), { code: beforeWrite.code });
  const whole = Buffer.concat(parts as Uint8Array[]);
  return fs.writeSync(fd, whole, 0, Math.min(whole.length, beforeWrite.bytesMax));
});
syncBuiltinESMExports();

const folder = mkdtempSync(path.join(os.tmpdir(), 'earshot-output-'));
afterAll(() => {
  writev.mockRestore();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  Object.assign(beforeWrite, { bytesMax: Number.POSITIVE_INFINITY, failures: 0, code: 'EAGAIN' });
});

/** The messages that `write` has written. */
function messagesOf(write: (output: SampleOutput) => void) {
  const file = path.join(folder, 'output');
  const fd = openSync(file, 'w');
  write(new SampleOutput(fd));
  closeSync(fd);
  const bytes = readFileSync(file);
  const messages: { kind: string; fraction: number; payload: Uint8Array<ArrayBuffer> }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { kind, fraction, payloadBytes } = decodeHeader(bytes.subarray(at))!;
    const start = at + HEADER_BYTES;
    messages.push({ kind, fraction, payload: Uint8Array.from(bytes.subarray(start, start + payloadBytes)) });
    at = start + payloadBytes;
  }
  return messages;
}

const floatsOf = ({ payload }: { payload: Uint8Array<ArrayBuffer> }) => new Float32Array(payload.buffer);

it('long blocks are cut into messages of at most 16,384 samples, channel after channel', () => {
  const left = Float32Array.from({ length: 20_000 }, (_, i) => i / 20_000);
  const right = left.map((value) => -value);
  let decodedSamples = 0;
  const messages = messagesOf((output) => {
    output.writeSamples([left, right], 0.25, null);
    decodedSamples = output.decodedSamples;
  });
  expect(messages.map(({ kind, fraction }) => [kind, fraction])).toEqual(Array(2).fill(['samples', 0.25]));
  const [first, second] = messages.map(floatsOf);
  expect(first).toEqual(Float32Array.from([...left.slice(0, 16_384), ...right.slice(0, 16_384)]));
  expect(second).toEqual(Float32Array.from([...left.slice(16_384), ...right.slice(16_384)]));
  expect(decodedSamples).toBe(20_000);
});

it('samples beyond ±8, infinite or not a number become 0 and are counted over all channels', () => {
  const beyond = Float32Array.of(8.000001)[0]!;
  const given = [
    8,
    -8,
    beyond,
    -beyond,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NaN,
    2,
    0.5,
  ];
  let nonFiniteSamples = 0;
  const [message] = messagesOf((output) => {
    output.writeSamples([Float32Array.from(given), Float32Array.from(given)], 0, null);
    nonFiniteSamples = output.nonFiniteSamples;
  });
  const expected = [8, -8, 0, 0, 0, 0, 0, 2, 0.5];
  expect([...floatsOf(message!)]).toEqual([...expected, ...expected]);
  expect(nonFiniteSamples).toBe(10);
});

it('the count of a codec that silences samples itself is taken as it is', () => {
  const [message] = messagesOf((output) => {
    output.writeSamples([Float32Array.of(9)], 0, 5);
    output.writeSamples([], 0, 7);
    expect(output.nonFiniteSamples).toBe(7);
  });
  expect([...floatsOf(message!)]).toEqual([9]);
});

it.each([
  ['takes a few bytes at a time', { bytesMax: 7 }],
  ['is full for a while', { failures: 3 }],
])('a pipe that %s gets every byte once', (_, behaviour) => {
  Object.assign(beforeWrite, behaviour);
  const [samples, end] = messagesOf((output) => {
    output.writeSamples([Float32Array.of(0.25, 0.5), Float32Array.of(-0.25, -0.5)], 1, null);
    output.writeJson('end', { damage: null });
  });
  expect([...floatsOf(samples!)]).toEqual([0.25, 0.5, -0.25, -0.5]);
  expect([end!.kind, new TextDecoder().decode(end!.payload)]).toEqual(['end', '{"damage":null}']);
});

it('a closed pipe is an error', () => {
  Object.assign(beforeWrite, { failures: 1, code: 'EPIPE' });
  expect(() => messagesOf((output) => output.writeJson('end', {}))).toThrow('not written');
});
