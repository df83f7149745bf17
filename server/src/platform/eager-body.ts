import type { Readable } from 'node:stream';

export type EagerBody = {
  /** The bytes in order, up to the limit; throws what broke the stream off. To be read once. */
  chunks: AsyncIterable<Uint8Array>;
  /** Whether there was more than the limit. Known when `chunks` has ended. */
  readonly cutOff: boolean;
};

/**
 * Takes the bytes of a stream as fast as they come, up to a limit, however slow its reader is.
 *
 * The stream is never paused, and that is the point: undici 7 ends the whole process (an assertion in its parser) when the
 * other side closes a connection that it has paused. Memory is bounded by the limit instead.
 */
export function takeEagerly(stream: Readable, bytesMax: number): EagerBody {
  const waiting: Uint8Array[] = [];
  let bytesLeft = bytesMax;
  let cutOff = false;
  let ended = false;
  let failure: unknown = null;
  let wake = () => {};

  stream.on('data', (chunk: Uint8Array) => {
    if (chunk.byteLength > bytesLeft) {
      cutOff = true;
      if (bytesLeft > 0) waiting.push(chunk.subarray(0, bytesLeft));
      bytesLeft = 0;
      end(null);
      stream.destroy();
    } else {
      bytesLeft -= chunk.byteLength;
      waiting.push(chunk);
      wake();
    }
  });
  stream.once('end', () => end(null));
  stream.on('error', (error) => end(error));
  stream.once('close', () => end(new Error('The stream closed before its end')));

  function end(error: unknown): void {
    if (!ended) failure = error;
    ended = true;
    wake();
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk) yield chunk;
      else if (!ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (failure !== null) throw failure;
      else return;
    }
  }
  return {
    chunks: read(),
    get cutOff() {
      return cutOff;
    },
  };
}
