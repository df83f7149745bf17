import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChildOutput, openChildOutput, SOCKET_NAME } from './child-output.ts';
import { HEADER_BYTES } from './messages.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'earshot-output-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder whose path is too long for a socket. */
function deepFolder(): string {
  const deep = path.join(folder, ...Array.from({ length: 4 }, () => 'x'.repeat(50)));
  mkdirSync(deep, { recursive: true });
  return deep;
}

/** Four megabytes, far more than sockets and the queue of messages hold. */
const MESSAGE_COUNT = 40;
const MESSAGE_SAMPLES = 25_000;

/** Writes messages of samples that count up, each in several blocking writes, as the decoder does. */
const WRITER = `
  const { writeSync } = require('node:fs');
  for (let message = 0; message < ${MESSAGE_COUNT}; message++) {
    const bytes = Buffer.alloc(${HEADER_BYTES + 4 * MESSAGE_SAMPLES});
    bytes.writeUInt32LE(1, 0);
    bytes.writeUInt32LE(${4 * MESSAGE_SAMPLES}, 4);
    bytes.writeDoubleLE(message / ${MESSAGE_COUNT}, 8);
    for (let i = 0; i < ${MESSAGE_SAMPLES}; i++)
      bytes.writeFloatLE(message * ${MESSAGE_SAMPLES} + i, ${HEADER_BYTES} + 4 * i);
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at, Math.min(30000, bytes.length - at));
  }`;

function start(output: ChildOutput, script: string) {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', output.stdio, 'ignore'] });
  output.attach(child.stdout);
  return child;
}

describe.each([
  ['sockets', () => folder, process.platform !== 'win32'],
  ['a pipe', deepFolder, false],
])('through %s', (_, makeFolder, hasSockets) => {
  it('ends when no child was started because no descriptors were free', async () => {
    const output = await openChildOutput(makeFolder());
    output.attach(undefined);
    expect(await output.messages.next()).toBeNull();
    output.close();
  });

  it('delivers everything in order to a slow reader, and then the end', async () => {
    const output = await openChildOutput(makeFolder());
    expect(output.stdio !== 'pipe').toBe(hasSockets);
    expect(readdirSync(folder)).not.toContain(SOCKET_NAME);
    start(output, WRITER);
    let next = 0;
    for (let message = await output.messages.next(); message; message = await output.messages.next()) {
      const samples = new Float32Array(message.payload);
      expect(samples).toHaveLength(MESSAGE_SAMPLES);
      expect(samples.every((value, i) => value === next + i)).toBe(true);
      next += samples.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(next).toBe(MESSAGE_COUNT * MESSAGE_SAMPLES);
    output.close();
  });

  it('ends a child that is blocked on its output when it is closed', async () => {
    const output = await openChildOutput(makeFolder());
    const child = start(output, WRITER);
    await output.messages.next();
    const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
    output.close();
    // By EPIPE or SIGPIPE, depending on the platform.
    expect(await exited).not.toBe(0);
  });
});
