import { expect, it, vi } from 'vitest';
import { box } from '../test/mp4-bytes.ts';
import { readFileBoxes } from './mp4-boxes.ts';

it('reading the boxes of a file stops at a million and reports it', () => {
  const emptyBox = Uint8Array.from([...box('free'), ...box('free')]);
  const onTruncated = vi.fn();
  let count = 0;
  for (const _ of readFileBoxes({ byteSize: 8 * 1_000_001, view: () => emptyBox }, onTruncated)) count++;
  expect(count).toBe(1_000_000);
  expect(onTruncated).toHaveBeenCalledOnce();
});
