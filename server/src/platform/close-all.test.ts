import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { closeAll } from './close-all.ts';

it('runs the steps in order and the functions of each concurrently, even after errors, which it throws at the end', async () => {
  const closed: string[] = [];
  const [thrown, rejected] = [new Error('thrown'), new Error('rejected')];
  const signal = new EventEmitter();
  const closing = closeAll([
    [
      () => {
        throw thrown;
      },
      // Ends only because the next function runs at the same time.
      () => once(signal, 'closed').then(() => closed.push('first')),
      () => signal.emit('closed'),
    ],
    [() => Promise.reject(rejected)],
    [() => closed.push('last')],
  ]);
  await expect(closing).rejects.toMatchObject({ errors: [thrown, rejected] });
  expect(closed).toEqual(['first', 'last']);
});
