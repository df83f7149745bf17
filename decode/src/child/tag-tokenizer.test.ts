import { describe, expect, it } from 'vitest';
import { memorySource } from '../test/memory-source.ts';
import { createBudgetedTokenizer } from './tag-tokenizer.ts';

const MIB = 2 ** 20;
const USED_UP = 'the budget for tags is used up';

const open = (byteSize: number) =>
  createBudgetedTokenizer(memorySource(Uint8Array.from({ length: byteSize }, (_, n) => n)), 'audio/mpeg');

const tokenOf = (len: number) => ({ len, get: (bytes: Uint8Array) => [...bytes] });

describe('the tokenizer', () => {
  it('reads and peeks at its position, or at a given one', async () => {
    const tokenizer = await open(10);
    expect(await tokenizer.readToken(tokenOf(2))).toEqual([0, 1]);
    expect(await tokenizer.peekToken(tokenOf(2))).toEqual([2, 3]);
    expect(await tokenizer.readToken(tokenOf(2), 7)).toEqual([7, 8]);
    expect(tokenizer.position).toBe(9);
  });

  it('gives fewer bytes at the end only to a caller that accepts fewer', async () => {
    const tokenizer = await open(10);
    const target = new Uint8Array(4);
    expect(await tokenizer.peekBuffer(target, { position: 8, mayBeLess: true })).toBe(2);
    await expect(tokenizer.peekBuffer(target, { position: 8 })).rejects.toThrow('End-Of-Stream');
  });

  it.each(['readToken', 'peekToken'] as const)(
    '%s refuses a token of 256 MiB before it allocates memory',
    async (verb) => {
      // A tokenizer that allocated first would fail with End-Of-Stream instead.
      await expect((await open(10))[verb](tokenOf(256 * MIB))).rejects.toThrow(USED_UP);
    },
  );

  it('throws after 48 MiB', async () => {
    const tokenizer = await open(MIB);
    const target = new Uint8Array(MIB);
    for (let count = 0; count < 48; count++) await tokenizer.peekBuffer(target);
    await expect(tokenizer.peekBuffer(target, { length: 1 })).rejects.toThrow(USED_UP);
  });

  it('throws after 20,000 reads', async () => {
    const tokenizer = await open(1);
    const target = new Uint8Array(1);
    for (let count = 0; count < 20_000; count++) await tokenizer.peekBuffer(target);
    await expect(tokenizer.peekBuffer(target)).rejects.toThrow(USED_UP);
  });

  it.each([-1, Number.NaN])('does not refund the budget for a length of %d', async (length) => {
    const tokenizer = await open(10);
    await expect(tokenizer.peekBuffer(new Uint8Array(4), { length })).rejects.toThrow(USED_UP);
  });
});
