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

/** Writes 40 messages of 25,000 samples that count up, each in several blocking writes, as the decoder does. */
const WRITER = `
  const { writeSync } = require('node:fs');
  for (let message = 0; message < 40; message++) {
    const bytes = Buffer.alloc(${HEADER_BYTES} + 100000);
    bytes.writeUInt32LE(1, 0);
    bytes.writeUInt32LE(100000, 4);
    bytes.writeDoubleLE(message / 40, 8);
    for (let i = 0; i < 25000; i++) bytes.writeFloatLE(message * 25000 + i, ${HEADER_BYTES} + 4 * i);
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
      expect(samples.length).toBe(25_000);
      expect(samples.every((value, i) => value === next + i)).toBe(true);
      next += samples.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(next).toBe(40 * 25_000);
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
