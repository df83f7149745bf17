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

/** Waits until every stand-in behaves, every process is up and nothing is left to do; false when that takes too long. */
export async function waitUntilIdle(world: World, timeoutMs: number): Promise<boolean> {
  world.webhooks.calm();
  world.origin.calm();
  world.stripe.calm();
  world.s3?.calm();
  if (!(await world.fleet.allReady(timeoutMs))) return false;
  const rested = await until(
    async () => {
      const { rows } = await world.postgres.pool.query<{ count: string }>(UNFINISHED);
      const children = [...findDecoders(join(world.folder, 'tmp')), ...findOrphans(world)];
      return Number(rows[0]?.count) === 0 && children.length === 0;
    },
    timeoutMs,
    200,
  );
  // Log lines and files of a moment ago may still be on their way to the disk.
  await delay(300);
  return rested;
}

export function countUnfinished({ postgres }: World): Promise<number> {
  return postgres.count(`analyses where status in ('queued', 'processing')`);
}
