import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createEnginePool } from './engine-pool.ts';

const start = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
const acquireTwo = (pool: ReturnType<typeof createEnginePool>) => [pool.acquire(), pool.acquire()] as const;

it('hands out the engine that was used last, and a new one when all are in use', () => {
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

it('does not hand out an engine that died while idle', async () => {
  const pool = createEnginePool(start);
  const engine = pool.acquire();
  pool.release(engine);
  engine.kill('SIGKILL');
  await once(engine, 'exit');
  const next = pool.acquire();
  expect(next).not.toBe(engine);
  next.kill('SIGKILL');
});

/** Long enough for a busy machine to use the other engine several times within it. */
const IDLE_MS_MAX = 300;

it('ends an engine that is idle for too long, even while another stays in use', async () => {
  const pool = createEnginePool(start, IDLE_MS_MAX);
  const [spare, busy] = acquireTwo(pool);
  pool.release(spare);
  pool.release(busy);
  const exited = once(spare, 'exit');
  const work = setInterval(() => pool.release(pool.acquire()), IDLE_MS_MAX / 6);
  expect(await exited).toEqual([null, 'SIGKILL']);
  clearInterval(work);
  expect(pool.acquire()).toBe(busy);
  busy.kill('SIGKILL');
});
