import { describe, expect, it } from 'vitest';
import { decodeHeader, encodeHeader, HEADER_BYTES, MessageReader, PAYLOAD_BYTES_MAX } from './messages.ts';

/** Feeds bytes as a socket would, at most `pieceBytes` at a time, until the reader accepts no more. Returns how many it accepted. */
function feed(reader: MessageReader, bytes: Uint8Array, pieceBytes = bytes.length): number {
  for (let at = 0; at < bytes.length; ) {
    const target = reader.buffer();
    const piece = bytes.subarray(at, at + Math.min(target.length, pieceBytes));
    target.set(piece);
    at += piece.length;
    if (!reader.received(piece.length)) return at;
  }
  return bytes.length;
}

async function collect(bytes: Uint8Array, pieceBytes: number) {
  const reader = new MessageReader();
  feed(reader, bytes, pieceBytes);
  reader.end(null);
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

  it.each([1, 2, 7, 16, 17, 1000])('reads the same messages from pieces of %i bytes', async (pieceBytes) => {
    expect(await collect(stream, pieceBytes)).toEqual(expected);
  });

  it('drops an unfinished message', async () => {
    expect(await collect(stream.subarray(0, -1), 5)).toEqual(expected.slice(0, 2));
  });

  it('rejects at an invalid header and after it, but delivers the messages before it', async () => {
    const invalid = new Uint8Array(HEADER_BYTES).fill(0xff);
    await expect(collect(invalid, HEADER_BYTES)).rejects.toThrow('not a message');
    const torn = Uint8Array.from([...encodeHeader('end', 0, 1), ...invalid]);
    const reader = new MessageReader();
    feed(reader, torn);
    expect(await reader.next()).toMatchObject({ kind: 'end' });
    await expect(reader.next()).rejects.toThrow('not a message');
    await expect(reader.next()).rejects.toThrow('not a message');
  });

  it('settles a pending next() with a message, an error or the end', async () => {
    const reader = new MessageReader();
    const first = reader.next();
    feed(reader, stream.subarray(0, 19));
    expect(await first).toMatchObject({ kind: 'start' });
    const second = reader.next();
    reader.end(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    const ending = new MessageReader();
    const last = ending.next();
    ending.end(null);
    expect(await last).toBeNull();
  });

  it('reuses the memory of a recycled message of the same size, and no other memory', async () => {
    const reader = new MessageReader();
    const read = async (bytes: number[]) => {
      feed(reader, Uint8Array.from([...encodeHeader('samples', bytes.length, 0.5), ...bytes]));
      return (await reader.next())!.payload;
    };
    const first = await read([1, 2, 3, 4]);
    const second = await read([5, 6, 7, 8]);
    expect(second).not.toBe(first);
    reader.recycle(first);
    const third = await read([9, 10, 11, 12]);
    expect(third).toBe(first);
    expect([...new Uint8Array(third)]).toEqual([9, 10, 11, 12]);
    expect([...new Uint8Array(second)]).toEqual([5, 6, 7, 8]);
    reader.recycle(third);
    expect([...new Uint8Array(await read([13, 14]))]).toEqual([13, 14]);
  });

  it('accepts four messages ahead of the reader, and calls onDrain when they are read', async () => {
    const reader = new MessageReader();
    let drainCount = 0;
    reader.onDrain = () => drainCount++;
    const empty = encodeHeader('samples', 0, 0.5);
    const six = Uint8Array.from(Array.from({ length: 6 }, () => [...empty]).flat());
    expect(feed(reader, six)).toBe(4 * empty.length);
    for (let count = 0; count < 3; count++) await reader.next();
    expect(drainCount).toBe(0);
    await reader.next();
    expect(drainCount).toBe(1);
    expect(feed(reader, six)).toBe(4 * empty.length);
  });
});

describe('decodeHeader', () => {
  it('reads the largest payload and the whole file', () => {
    const header = { kind: 'samples', payloadBytes: PAYLOAD_BYTES_MAX, fraction: 1 } as const;
    expect(decodeHeader(encodeHeader(header.kind, header.payloadBytes, header.fraction))).toEqual(header);
  });

  it.each([
    ['an unknown kind', Uint8Array.from([9, ...new Array(HEADER_BYTES - 1).fill(0)])],
    ['more payload than a block holds', encodeHeader('samples', PAYLOAD_BYTES_MAX + 1, 0)],
    ['a fraction below zero', encodeHeader('samples', 4, -0.5)],
    ['a fraction above one', encodeHeader('samples', 4, 1.5)],
    ['a fraction that is not a number', encodeHeader('samples', 4, Number.NaN)],
  ])('refuses %s', (_, bytes) => {
    expect(decodeHeader(bytes)).toBeNull();
  });
});
