import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { closeAll } from './close-all.ts';

it('closes the rest when one cannot be closed, each step after the one before, and says what failed', async () => {
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
