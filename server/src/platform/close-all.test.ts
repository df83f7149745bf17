import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { closeAll } from './close-all.ts';

it('runs every step in order even after an error, and throws the errors at the end', async () => {
  const closed: string[] = [];
  const broken = new Error('stuck');
  const closing = closeAll([
    [() => Promise.reject(broken), () => delay(5).then(() => closed.push('slow'))],
    [() => undefined],
    [() => closed.push('last')],
  ]);
  await expect(closing).rejects.toMatchObject({ errors: [broken] });
  expect(closed).toEqual(['slow', 'last']);
});
