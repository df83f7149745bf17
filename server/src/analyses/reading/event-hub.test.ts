import { expect, test } from 'vitest';
import type { Database } from '../../platform/postgres.ts';
import { createEventHub } from './event-hub.ts';

test('who has left twice does not take along who came for the same analysis since', async () => {
  let notify = (_analysisId: string | null) => {};
  const listen: Database['listen'] = async (_channel, handler) => {
    notify = handler;
    return async () => {};
  };
  const hub = createEventHub({ acrossTenants: { listen } as Database });
  const leave = await hub.subscribe('job_a', () => {});
  leave();
  let woken = 0;
  await hub.subscribe('job_a', () => {
    woken += 1;
  });
  leave();
  notify('job_a');
  expect(woken).toBe(1);
});
