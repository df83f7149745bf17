import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findDecoders, findOrphans } from './child-processes.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

const UNFINISHED = `
  select (select count(*) from analyses where status in ('queued', 'processing'))
    + (select count(*) from jobs where kind <> 'sweep')
    + (select count(*) from webhook_deliveries where status in ('pending', 'delivering'))
    + (select count(*) from mail_outbox)
    + (select count(*) from meter_reports where reported_at is null) as count`;

/** Ends all misbehaviour, and waits until every process is up and no work is left; false when that takes too long. */
export async function waitUntilIdle(world: World, timeoutMs: number): Promise<boolean> {
  world.webhooks.calm();
  world.origin.calm();
  world.stripe.calm();
  world.s3?.calm();
  if (!(await world.fleet.allReady(timeoutMs))) return false;
  const isIdle = await until(
    async () => {
      const { rows } = await world.postgres.pool.query<{ count: string }>(UNFINISHED);
      const children = [...findDecoders(join(world.folder, 'tmp')), ...findOrphans(world)];
      return Number(rows[0]?.count) === 0 && children.length === 0;
    },
    timeoutMs,
    200,
  );
  // The last log lines and files may not be on disk yet.
  await delay(300);
  return isIdle;
}

/** Waits until every submitted job has ended; false when that takes too long. */
export function waitForJobs(world: World, timeoutMs: number): Promise<boolean> {
  return until(async () => (await countUnfinished(world)) === 0, timeoutMs);
}

export function countUnfinished({ postgres }: World): Promise<number> {
  return postgres.count(`analyses where status in ('queued', 'processing')`);
}
