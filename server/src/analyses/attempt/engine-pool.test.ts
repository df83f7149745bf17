import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createEnginePool } from './engine-pool.ts';

const start = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
const acquireTwo = (pool: ReturnType<typeof createEnginePool>) => [pool.acquire(), pool.acquire()] as const;

it('hands out the one that was last at work, and a new one when all are', () => {
  const pool = createEnginePool(start);
  const [first, second] = acquireTwo(pool);
  pool.release(first);
  pool.release(second);
  expect(pool.acquire()).toBe(second);
  expect(pool.acquire()).toBe(first);
  const third = pool.acquire();
  expect([first, second]).not.toContain(third);
  for (const engine of [first, second, third]) engine.kill('SIGKILL');
});

it('does not hand out one that died while it waited', async () => {
  const pool = createEnginePool(start);
  const engine = pool.acquire();
  pool.release(engine);
  engine.kill('SIGKILL');
  await once(engine, 'exit');
  const next = pool.acquire();
  expect(next).not.toBe(engine);
  next.kill('SIGKILL');
});

it('ends one that has waited for too long, though another is at work all the time', async () => {
  const pool = createEnginePool(start, 300);
  const [spare, busy] = acquireTwo(pool);
  pool.release(spare);
  pool.release(busy);
  const gone = once(spare, 'exit');
  const work = setInterval(() => pool.release(pool.acquire()), 50);
  expect(await gone).toEqual([null, 'SIGKILL']);
  clearInterval(work);
  expect(pool.acquire()).toBe(busy);
  busy.kill('SIGKILL');
});
