/**
 * What a decoder might attempt once its input has taken it over. Runs behind the walls of sandbox.ts in place of the child, and prints a
 * line for each attempt: `done: …` if it succeeded, `refused: …` if not.
 */

import { spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import net from 'node:net';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import { lockDown } from '../../child/lock-down.ts';
import { encodeHeader, type MessageKind } from '../../messages.ts';

const OUTPUT_FD = 1;
const MEGABYTE = 2 ** 20;
const WASM_PAGE_BYTES = 65_536;
/** 4 GiB, the most that WebAssembly can address. */
const WASM_PAGES_MAX = 65_536;

const ATTEMPTS: Record<string, (argument: string) => unknown> = {
  'read-input': () => readSync(3, new Uint8Array(4), 0, 4, 0),
  'read-file': (path) => readFileSync(path, 'latin1').length,
  'write-file': () => {
    const file = `${process.cwd()}/written`;
    writeFileSync(file, 'x'.repeat(MEGABYTE));
    return readFileSync(file).length;
  },
  'write-elsewhere': (path) => writeFileSync(path, 'x'.repeat(MEGABYTE)),
  'start-program': () => {
    const { error, status } = spawnSync('/bin/true');
    if (error) throw error;
    return status;
  },
  'start-thread': () => new Worker('1', { eval: true }),
  'load-addon': () => process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libm.so.6'),
  'see-environment': () => JSON.stringify(process.env),
  'see-user': () => `${process.getuid?.()}`,
  connect: (port) => connect(Number(port)),
  'connect-locked-down': (port) => {
    lockDown();
    return connect(Number(port));
  },
  'fetch-locked-down': (port) => {
    lockDown();
    return fetch(`http://127.0.0.1:${port}/`).then(({ status }) => status);
  },
  // These once worked in spite of `lockDown`:
  'listen-underneath': async () => {
    const server = new net.Server();
    lockDown();
    const listening = once(server, 'listening');
    Reflect.get(server, '_listen2').call(server, '127.0.0.1', 0, 4, 16);
    await listening;
    return 'listens';
  },
  'bind-udp': async () => {
    const socket = dgram.createSocket('udp4');
    lockDown();
    Reflect.apply(dgram.Socket.prototype.bind, socket, [0, '127.0.0.1']);
    await once(socket, 'listening');
    return 'bound';
  },
  'use-vm': () => {
    lockDown();
    return vm.runInNewContext('1 + 1');
  },
  // Each kind of function has a constructor that compiles a string.
  'make-code': () => makeCodeLike(() => {}),
  'make-asynchronous-code': () => makeCodeLike(async () => {}),
  'make-generating-code': () => makeCodeLike(function* () {}),
  'make-asynchronous-generating-code': () => makeCodeLike(async function* () {}),
  'make-code-by-name': () => {
    lockDown();
    return new Function('return 1')();
  },
  'evaluate-code': () => {
    lockDown();
    return Reflect.get(globalThis, 'eval')('1 + 1');
  },
  // Only the operating system can refuse these:
  'listen-udp': async () => {
    const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return 'bound';
  },
  'listen-unix': async () => {
    const server = net.createServer().listen(`\0earshot-escape-${process.pid}`);
    await once(server, 'listening');
    return 'listens';
  },
  'connect-unix': async (path) => {
    await once(net.connect(path), 'connect');
    return 'connected';
  },
  'list-root': () => readdirSync('/').join(),
  'signal-parent': () => process.kill(process.ppid, 0),
  'spin-on': () => {
    process.on('SIGXCPU', () => {});
    for (;;);
  },
  'fill-memory': () => {
    const kept: Buffer[] = [];
    return fill((bytes) => kept.push(Buffer.alloc(bytes, 1)));
  },
  // Takes all the memory it can get, survives being refused more, and prints nothing: only its parent can notice.
  'hold-memory': () => {
    const kept: Buffer[] = [];
    try {
      for (;;) kept.push(Buffer.alloc(8 * MEGABYTE, 1));
    } catch {
      return new Promise(() => setInterval(() => kept.length, 1_000));
    }
  },
  'fill-wasm-memory': () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: WASM_PAGES_MAX });
    return fill((bytes) => {
      memory.grow(bytes / WASM_PAGE_BYTES);
      new Uint8Array(memory.buffer).fill(1, -bytes);
    });
  },
  'fill-heap': () => {
    const kept: object[] = [];
    for (;;) kept.push(new Array(2 ** 21).fill({}));
  },
  spin: () => {
    for (;;);
  },
  sleep: () => new Promise(() => setInterval(() => {}, 1_000)),
  'speak-and-sleep': () => {
    writeSync(OUTPUT_FD, encodeHeader('start', 0, 0));
    return new Promise(() => setInterval(() => {}, 1_000));
  },
  'flood-errors': () => {
    const line = new Uint8Array(MEGABYTE).fill(0x21);
    for (let i = 0; i < 64; i++) writeSync(2, line);
    process.exit(3);
  },
  'write-nonsense': () => {
    writeSync(OUTPUT_FD, new Uint8Array(64).fill(0xff));
    process.exit(0);
  },
  'claim-a-huge-message': () => {
    const header = encodeHeader('samples', 0xffff_ffff, 0);
    writeSync(OUTPUT_FD, header);
    return new Promise(() => setInterval(() => {}, 1_000));
  },
  'say-no-json': () => say('walls', 'walls'),
  'say-null': () => say('walls', 'null'),
  'begin-with-the-end': () => say('end', '{"nonFiniteSamples":0,"damage":null}'),
};

function say(kind: MessageKind, text: string): void {
  writeSync(OUTPUT_FD, encodeHeader(kind, text.length, 0));
  writeSync(OUTPUT_FD, text);
  process.exit(0);
}

/** Takes memory up to 4 GB, printing the total after each piece, because being refused more may end the process. */
function fill(take: (bytes: number) => void): string {
  for (let megabytes = 32; megabytes < 4_000; megabytes += 32) {
    take(32 * MEGABYTE);
    writeSync(OUTPUT_FD, `has: ${megabytes} MB\n`);
  }
  return 'all of it';
}

function makeCodeLike(sample: object): string {
  lockDown();
  return typeof Reflect.construct(sample.constructor, ['return 1']);
}

function connect(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve('connected'));
    socket.once('error', reject);
  });
}

const [, , attempts = '', argument = ''] = process.argv;
for (const attempt of attempts.split(' ')) {
  const make = ATTEMPTS[attempt];
  // Prints nothing, so that an unknown attempt does not pass for a refused one.
  if (!make) process.exit(2);
  try {
    writeSync(OUTPUT_FD, `done: ${await make(argument)}\n`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    writeSync(OUTPUT_FD, `refused: ${code ?? ''} ${message}\n`);
  }
}
process.exit(0);
