/**
 * How the child's output reaches the parent: through a pair of connected sockets, one of which is the child's standard output. The pipe
 * that Node creates for a child allocates and copies a buffer on every read; our own socket reads straight into a message. Where such a
 * pair cannot be created, Node's pipe is used.
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
  /** Call this after `spawn`, with the pipe it created, if any: without free descriptors it creates none. */
  attach(pipe: Readable | null | undefined): void;
  /** Closes the socket or pipe, whether or not it was read to its end. */
  close(): void;
};

/** Exists in `folder` while the sockets connect. A process killed during that time leaves it behind. */
export const SOCKET_NAME = 'output';
/** macOS allows 104 bytes including the final NUL, Linux 108. Node truncates a longer path and creates a socket of another name. */
const SOCKET_PATH_BYTES_MAX = 103;

/** `folder` must be private to this process and empty; it is empty again when the promise resolves. */
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
    messages.onDrain = () => ours.resume();
    ours.once('error', (error) => messages.end(error));
    ours.once('close', () => messages.end(null));
    const [theirs] = (await Promise.race([
      once(server, 'connection'),
      // Without a free descriptor for the other end, the system closes ours without an error.
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
    attach(created) {
      if (!created) return messages.end(null);
      pipe = created;
      pipe.on('data', (chunk: Uint8Array) => {
        for (let at = 0; at < chunk.length; ) {
          const target = messages.buffer();
          const piece = chunk.subarray(at, at + target.length);
          target.set(piece);
          at += piece.length;
          // The rest of the chunk has already arrived, so it is delivered even though the queue is full.
          if (!messages.received(piece.length)) created.pause();
        }
      });
      pipe.once('error', (error) => messages.end(error));
      pipe.once('close', () => messages.end(null));
      messages.onDrain = () => created.resume();
    },
    close: () => pipe?.destroy(),
  };
}
