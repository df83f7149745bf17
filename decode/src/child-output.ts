/**
 * How the child's output reaches us: through one of two connected sockets, of which the child has the other as its standard output. A
 * pipe that Node makes for a child allocates a buffer for every read and copies it; a socket of our own can read straight into a
 * message, at a third of the processor time. Where such sockets cannot be made, Node's pipe is used.
 */

import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { MessageReader } from './messages.ts';

export type ChildOutput = {
  messages: MessageReader;
  /** Pass this to `spawn` as the child's standard output. */
  stdio: net.Socket | 'pipe';
  /** Call this after `spawn`, with the pipe it made; it makes none when no descriptors are left. */
  attach(pipe: Readable | null | undefined): void;
  /** Releases the socket or pipe, whether or not it was read to its end. */
  close(): void;
};

/** The name in `folder` while the sockets connect. A process that is killed during that time leaves it behind. */
export const SOCKET_NAME = 'output';
/** macOS has room for 104 bytes including the final NUL, Linux for 108. Node cuts a longer path and makes a socket of another name. */
const SOCKET_PATH_BYTES_MAX = 103;

/** `folder` must be private to us and empty; it is empty again when the promise resolves. */
export async function openChildOutput(folder: string): Promise<ChildOutput> {
  const socketPath = path.join(folder, SOCKET_NAME);
  if (process.platform === 'win32' || Buffer.byteLength(socketPath) > SOCKET_PATH_BYTES_MAX)
    return openPipe();
  try {
    return await openSockets(socketPath);
  } catch {
    // The file system does not support sockets.
    return openPipe();
  }
}

async function openSockets(socketPath: string): Promise<ChildOutput> {
  const server = net.createServer({ pauseOnConnect: true });
  try {
    server.listen(socketPath);
    await once(server, 'listening');
    const messages = new MessageReader();
    const ours = net.connect({
      path: socketPath,
      onread: { buffer: () => messages.buffer(), callback: (byteCount) => messages.received(byteCount) },
    });
    messages.onRoom = () => ours.resume();
    ours.once('error', (error) => messages.end(error));
    ours.once('close', () => messages.end(null));
    const [theirs] = (await Promise.race([
      once(server, 'connection'),
      // If no descriptor is left for the other end, the system closes ours without an error.
      once(ours, 'close').then(() => Promise.reject(new Error('the connection was closed'))),
    ])) as [net.Socket];
    return {
      messages,
      stdio: theirs,
      attach: () => theirs.destroy(),
      close: () => {
        theirs.destroy();
        ours.destroy();
      },
    };
  } finally {
    server.close();
  }
}

function openPipe(): ChildOutput {
  const messages = new MessageReader();
  let pipe: Readable | null = null;
  return {
    messages,
    stdio: 'pipe',
    attach(made) {
      if (!made) return messages.end(null);
      pipe = made;
      pipe.on('data', (chunk: Uint8Array) => {
        for (let at = 0; at < chunk.length; ) {
          const target = messages.buffer();
          const piece = chunk.subarray(at, at + target.length);
          target.set(piece);
          at += piece.length;
          // The rest of this chunk has arrived already, so it is taken although the reader is full.
          if (!messages.received(piece.length)) made.pause();
        }
      });
      pipe.once('error', (error) => messages.end(error));
      pipe.once('close', () => messages.end(null));
      messages.onRoom = () => made.resume();
    },
    close: () => pipe?.destroy(),
  };
}
