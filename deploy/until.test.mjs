import { expect, it } from 'vitest';
import { until } from './until.mjs';

it('resolves with the first truthy result of the condition', async () => {
  const results = [null, 0, 'found', 'later'];
  expect(await until(() => results.shift(), 'a result', { everyMs: 1 })).toBe('found');
  expect(results).toEqual(['later']);
});

it('rejects in time with what was awaited', async () => {
  const waiting = until(() => false, 'a miracle', { withinMs: 20, everyMs: 1 });
  await expect(waiting).rejects.toThrow('Not within 20 ms: a miracle');
});

it('rejects in time even if the condition never settles', async () => {
  const waiting = until(() => new Promise(() => {}), 'a reply', { withinMs: 20 });
  await expect(waiting).rejects.toThrow('Not within 20 ms: a reply');
});

it('passes on the error of the condition', async () => {
  const failing = until(() => Promise.reject(new Error('broken')), 'a reply');
  await expect(failing).rejects.toThrow('broken');
});
