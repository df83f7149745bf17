import { expect, it } from 'vitest';
import { element } from '../test/ebml-bytes.ts';
import { openMatroska } from './matroska.ts';

const text = (value: string) => [...value].map((character) => character.charCodeAt(0));

it('a file of more than twenty million empty elements ends there and is truncated', async () => {
  const track = element(
    [0xae],
    element([0xd7], [1]),
    element([0x83], [2]),
    element([0x86], text('A_PCM/INT/LIT')),
    element([0xe1], element([0x62, 0x64], [16])),
  );
  const tracks = element([0x16, 0x54, 0xae, 0x6b], track);
  // A segment and a cluster of unknown size.
  const head = Uint8Array.from([0x18, 0x53, 0x80, 0x67, 0xff, ...tracks, 0x1f, 0x43, 0xb6, 0x75, 0xff]);
  const voids = Uint8Array.from(new Array(10).fill([0xec, 0x80]).flat());
  const openWith = (voidCount: number) =>
    openMatroska({
      byteSize: head.length + 2 * voidCount,
      view: (position, length) =>
        position < head.length
          ? Buffer.concat([head, voids]).subarray(position, position + length)
          : voids.subarray(0, 12),
    });
  expect((await openWith(1_000)).health.truncated).toBe(false);
  expect((await openWith(20_000_000)).health.truncated).toBe(true);
  // Twenty million reads take seconds, and more on a busy machine.
}, 60_000);
