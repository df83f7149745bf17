import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { decodeHeader, encodeHeader, MessageReader, PAYLOAD_BYTES_MAX } from './messages.ts';

function* inPieces(bytes: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.slice(at, at + pieceBytes);
}

async function collect(bytes: Uint8Array, pieceBytes: number) {
  const reader = new MessageReader(Readable.from(inPieces(bytes, pieceBytes)));
  const messages: { kind: string; fraction: number; payload: number[] }[] = [];
  for (let message = await reader.next(); message; message = await reader.next()) {
    const { kind, fraction, payload } = message;
    messages.push({ kind, fraction, payload: [...new Uint8Array(payload)] });
  }
  return messages;
}

describe('MessageReader', () => {
  const stream = Uint8Array.from([
    ...encodeHeader('start', 3, 0),
    ...[1, 2, 3],
    ...encodeHeader('samples', 0, 0.5),
    ...encodeHeader('end', 2, 1),
    ...[4, 5],
  ]);
  const expected = [
    { kind: 'start', fraction: 0, payload: [1, 2, 3] },
    { kind: 'samples', fraction: 0.5, payload: [] },
    { kind: 'end', fraction: 1, payload: [4, 5] },
  ];

  it.each([1, 2, 7, 16, 17, 1000])(
    'is the same however the pipe cuts it: %i bytes at a time',
    async (pieceBytes) => {
      expect(await collect(stream, pieceBytes)).toEqual(expected);
    },
  );

  it('leaves an unfinished message out', async () => {
    expect(await collect(stream.subarray(0, -1), 5)).toEqual(expected.slice(0, 2));
  });

  it('throws at what is no message, after the messages before it, and whenever it is asked again', async () => {
    await expect(collect(new Uint8Array(16).fill(0xff), 16)).rejects.toThrow('not a message');
    const torn = Uint8Array.from([...encodeHeader('end', 0, 1), ...new Uint8Array(16).fill(0xff)]);
    const reader = new MessageReader(Readable.from([torn]));
    expect(await reader.next()).toMatchObject({ kind: 'end' });
    await expect(reader.next()).rejects.toThrow('not a message');
    await expect(reader.next()).rejects.toThrow('not a message');
  });

  it('a stream that breaks is an error, one that is closed is at its end', async () => {
    const broken = new PassThrough();
    const asked = new MessageReader(broken).next();
    broken.destroy(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    const closed = new PassThrough();
    const last = new MessageReader(closed).next();
    closed.destroy();
    expect(await last).toBeNull();
  });

  it('reads a few messages ahead, leaves the rest to the writer, and goes on when they are read', async () => {
    const stream = new PassThrough({ highWaterMark: 16 });
    const reader = new MessageReader(stream);
    let written = 0;
    const writing = (async () => {
      for (; written < 100; written++) {
        if (!stream.write(encodeHeader('samples', 0, written / 100)))
          await new Promise((resolve) => stream.once('drain', resolve));
      }
      stream.end();
    })();
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    // Four read ahead, and what lies in the two buffers of the stream.
    expect(written).toBeLessThan(10);
    let count = 0;
    for (let message = await reader.next(); message; message = await reader.next()) {
      expect(message.fraction).toBe(count++ / 100);
    }
    await writing;
    expect(count).toBe(100);
  });
});

describe('decodeHeader', () => {
  it.each([
    ['an unknown kind', Uint8Array.from([9, ...new Array(15).fill(0)])],
    ['more payload than a block holds', encodeHeader('samples', PAYLOAD_BYTES_MAX + 1, 0)],
    ['a fraction beyond one', encodeHeader('samples', 4, 1.5)],
    ['a fraction that is no number', encodeHeader('samples', 4, Number.NaN)],
  ])('refuses %s', (_, bytes) => {
    expect(decodeHeader(bytes)).toBeNull();
  });
});
