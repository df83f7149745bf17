import { describe, expect, it } from 'vitest';
import { decodeHeader, encodeHeader, PAYLOAD_BYTES_MAX, readMessages } from './messages.ts';

async function* inPieces(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.slice(at, at + pieceBytes);
}

async function collect(bytes: Uint8Array, pieceBytes: number) {
  const messages: { kind: string; fraction: number; payload: number[] }[] = [];
  for await (const { kind, fraction, payload } of readMessages(inPieces(bytes, pieceBytes))) {
    messages.push({ kind, fraction, payload: [...new Uint8Array(payload)] });
  }
  return messages;
}

describe('readMessages', () => {
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

  it('throws at what is no message', async () => {
    await expect(collect(new Uint8Array(16).fill(0xff), 16)).rejects.toThrow('not a message');
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
