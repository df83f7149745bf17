import { expect, it, vi } from 'vitest';
import { newIdempotencyKey } from './new-idempotency-key.ts';

it('is 128 random bits in hexadecimal digits', () => {
  const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    if (array instanceof Uint8Array) array.set(Array.from(array, (_, index) => index));
    return array;
  });
  expect(newIdempotencyKey()).toBe('000102030405060708090a0b0c0d0e0f');
  random.mockRestore();
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey());
});
