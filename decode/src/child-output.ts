/**
 * How the child's output reaches us: through one of two connected sockets, while the child has the other as its standard output. A
 * pipe that Node makes for a child allocates memory for every read, copies and announces it; a socket of our own may read straight
 * into a message, at a third of the processor time. Where there can be no such sockets it is Node's pipe after all.
 */

import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { MessageReader } from './messages.ts';

export type ChildOutput = {
  messages: MessageReader;
  /** What `spawn` is to be given as the child's standard output. */
  stdio: net.Socket | 'pipe';
  /** To be called with the pipe that `spawn` made, once the child has its end. Without descriptors left it made none. */
  attach(pipe: Readable | null | undefined): void;
  /** Lets go of it, read to its end or not. */
  close(): void;
};

/** In the folder for as long as it takes to connect; a process that is killed then leaves it there. */
export const SOCKET_NAME = 'output';
/** macOS has room for 104 bytes, Linux for 108; Node cuts what is longer and makes a socket of another name. */
const SOCKET_PATH_BYTES_MAX = 103;

/** `folder` is private to us and empty; it is empty again when this has answered. */
export async function openChildOutput(folder: string): Promise<ChildOutput> {
  const socketPath = path.join(folder, SOCKET_NAME);
  if (process.platform === 'win32' || Buffer.byteLength(socketPath) > SOCKET_PATH_BYTES_MAX)
    return openPipe();
  try {
    return await openSockets(socketPath);
  } catch {
    // A file system without sockets.
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
      // Without a descriptor for the other end the system closes ours, and calls it no error.
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
          // What has come is taken in any case; it is one chunk.
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
