import { expect, it, vi } from 'vitest';
import { once } from './once.ts';

it.each([7, undefined, null])('calls the function once and keeps its value: %s', (value) => {
  const make = vi.fn(() => value);
  const get = once(make);
  expect(make).not.toHaveBeenCalled();
  expect([get(), get()]).toEqual([value, value]);
  expect(make).toHaveBeenCalledTimes(1);
});
