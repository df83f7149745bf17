import { beforeEach, describe, expect, it } from 'vitest';
import type { Queryable } from '../platform/postgres.ts';
import { createTestDatabase } from '../test/database.ts';
import { countRowsRead } from '../test/rows-read.ts';
import { ADD_JOBS, enqueue } from './queue.ts';
import { CLAIM_JOBS, chargeTurns, claimJobs, promoteDueJobs, queueSweepIfDue } from './store.ts';

const { db } = await createTestDatabase();
const claimOptions = { limit: 1, workerId: 'test', leaseMs: 60_000 };

beforeEach(async () => {
  await db.query('delete from jobs');
  await db.query('delete from job_turns');
  await db.query('delete from job_schedules');
});

async function add(tenant: string, count = 1): Promise<void> {
  await db.transaction(async (tx) => {
    for (let number = 1; number <= count; number += 1) {
      await enqueue(tx, { kind: 'analysis.run', tenant, payload: { analysisId: `${tenant}-${number}` } });
    }
  });
}

/** Claims the next job and ends it at once; returns its name, or null when none is queued. */
async function serveNext(): Promise<string | null> {
  const [job] = await claimJobs(db, 'analysis.run', claimOptions);
  if (job === undefined) return null;
  await db.query('delete from jobs where id = $1', [job.id]);
  return (job.payload as { analysisId: string }).analysisId;
}

async function serve(count: number): Promise<(string | null)[]> {
  const names: (string | null)[] = [];
  while (names.length < count) names.push(await serveNext());
  return names;
}

describe('enqueue', () => {
  it('creates the job when its transaction commits, and not when it fails', async () => {
    const failing = db.transaction(async (tx) => {
      await enqueue(tx, { kind: 'mail.send', tenant: 'a', payload: { mailId: '1' } });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await db.query('select 1 from jobs')).toEqual([]);
    await add('a');
    expect(await serveNext()).toBe('a-1');
  });

  it('adds to the queue of its kind alone', async () => {
    await add('a');
    expect(await claimJobs(db, 'mail.send', claimOptions)).toEqual([]);
  });

  it('adds a job that is claimed only once it is due', async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    await db.transaction(async (tx) => {
      await enqueue(tx, {
        kind: 'analysis.run',
        tenant: 'a',
        payload: { analysisId: 'later' },
        runAt: inHours(1),
      });
      await enqueue(tx, {
        kind: 'analysis.run',
        tenant: 'b',
        payload: { analysisId: 'due' },
        runAt: inHours(-1),
      });
    });
    expect(await serveNext()).toBeNull();
    expect(await promoteDueJobs(db)).toBe(1);
    expect(await serve(2)).toEqual(['due', null]);
  });
});

describe('a tenant with no free slots', () => {
  const QUEUED = 20_000;
  /** As workers claim, from a table that the planner has no statistics of yet. */
  const claimFromOthers = (tx: Queryable) =>
    claimJobs(tx, 'analysis.run', { ...claimOptions, exceptTenants: ['many'] });

  beforeEach(async () => {
    await db.query(
      `insert into jobs (kind, tenant, payload, state, turn, attempts_max)
       select 'analysis.run', 'many', '{}', 'queued', n, 3 from generate_series(1, ${QUEUED}) n`,
    );
  });

  it('costs no reads of its jobs when no other tenant has any', async () => {
    expect(await claimFromOthers(db)).toEqual([]);
    expect(await countRowsRead(db, claimFromOthers)).toBeLessThan(10);
  });

  it('does not delay another tenant, whether its id sorts before or after', async () => {
    for (const tenant of ['few', 'next']) {
      await add(tenant);
      expect(await countRowsRead(db, claimFromOthers)).toBeLessThan(10);
      expect(await claimFromOthers(db)).toMatchObject([{ tenant }]);
    }
  });
});

describe('fairness between tenants', () => {
  it("starts a new tenant's job after at most one more of the thousand jobs of another", async () => {
    await add('big', 1000);
    await serve(10);
    const [running] = await claimJobs(db, 'analysis.run', claimOptions);
    expect(running?.payload).toEqual({ analysisId: 'big-11' });
    await add('small');
    expect(await serve(2)).toEqual(['big-12', 'small-1']);
  });

  it('alternates between tenants that all have many jobs', async () => {
    await add('a', 50);
    await add('b', 50);
    await add('c', 50);
    const order = await serve(30);
    for (const tenant of ['a', 'b', 'c']) {
      // Ten each; one more or less at the ends of the window.
      const share = order.filter((name) => name?.startsWith(tenant)).length;
      expect(share).toBeGreaterThanOrEqual(9);
      expect(share).toBeLessThanOrEqual(11);
    }
  });

  it('does not charge a tenant for what it used while nobody else was waiting', async () => {
    await add('early', 500);
    await serve(500);
    await add('late', 100);
    await serve(1);
    await add('early');
    expect(await serve(3)).toContain('early-1');
  });

  it('charges a turn for every five seconds, so that a tenant with long jobs waits for as many short ones of others', async () => {
    await add('long', 3);
    const [first] = await claimJobs(db, 'analysis.run', claimOptions);
    await add('short', 20);
    await chargeTurns(db, first!, 50_000);
    await db.query('delete from jobs where id = $1', [first!.id]);
    await add('long');
    const order = await serve(22);
    // Fifty seconds are ten turns, added to those that its next jobs had.
    expect(order.indexOf('long-2')).toBeGreaterThanOrEqual(10);
    expect(order.indexOf('long-2')).toBeLessThan(14);
    expect(order.indexOf('long-3')).toBe(order.indexOf('long-2') + 2);
  });

  it('charges a tenant with thousands of queued jobs exactly what it owes, and keeps their order', async () => {
    // 1,000 jobs are moved per turn owed, so 2,500 are moved only once three turns are.
    await add('long', 2_500);
    await add('short', 2_500);
    const served: string[] = [];
    for (let count = 1; count <= 240; count += 1) {
      const [job] = await claimJobs(db, 'analysis.run', claimOptions);
      // Ten seconds cost two turns more than a short job.
      if (job!.tenant === 'long') await chargeTurns(db, job!, 10_000);
      await db.query('delete from jobs where id = $1', [job!.id]);
      served.push(job!.tenant);
      // The queues keep their length, also while turns are owed.
      await add(job!.tenant);
    }
    // One turn against three: a quarter of the 240 jobs, give or take the turns still owed at the end.
    const longs = served.filter((tenant) => tenant === 'long').length;
    expect(longs).toBeGreaterThanOrEqual(59);
    expect(longs).toBeLessThanOrEqual(61);
    const turns = await db.query<{ turn: number }>(
      `select turn from jobs where tenant = 'long' and state = 'queued' order by id`,
    );
    const gaps = turns.slice(1).map(({ turn }, index) => turn - turns[index]!.turn);
    expect(new Set(gaps)).toEqual(new Set([1]));
  });

  it('serves every tenant although new ones keep arriving faster than jobs are served', async () => {
    await add('patient', 3);
    const served: (string | null)[] = [];
    for (let round = 0; round < 20 && !served.includes('patient-3'); round += 1) {
      await add(`new-${round}-a`);
      await add(`new-${round}-b`);
      served.push(...(await serve(1)));
    }
    // Each of the three waits at most for the arrivals of one round of turns.
    expect(served).toContain('patient-3');
  });

  it('does not serve a hundred due retries before a new job of another tenant', async () => {
    await db.transaction(async (tx) => {
      for (let number = 0; number < 100; number += 1) {
        const payload = { analysisId: `retry-${number}` };
        await enqueue(tx, { kind: 'analysis.run', tenant: 'a', payload, runAt: new Date(0) });
      }
    });
    expect(await promoteDueJobs(db)).toBe(100);
    await claimJobs(db, 'analysis.run', claimOptions);
    await add('b');
    expect(await serve(2)).toContain('b-1');
  });
});

describe('claimJobs', () => {
  it('gives every job to exactly one of many concurrent claims', async () => {
    await add('a', 200);
    const claims = await Promise.all(
      Array.from({ length: 40 }, () => claimJobs(db, 'analysis.run', { ...claimOptions, limit: 5 })),
    );
    // A claim skips jobs that another one has locked, so some may be left.
    const left = await claimJobs(db, 'analysis.run', { ...claimOptions, limit: 200 });
    const ids = [...claims.flat(), ...left].map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([200, 200]);
  });

  it('reads only the index of queued jobs, in its order, among 100,000 of them', async () => {
    await db.query(
      `insert into jobs (kind, tenant, payload, state, turn, attempts_max)
       select 'analysis.run', 't' || n % 50, '{}', case when n % 10 = 0 then 'queued' else 'waiting' end, n, 3
       from generate_series(1, 100000) n`,
    );
    await db.query('analyze jobs');
    const rows = await db.query<{ 'QUERY PLAN': string }>(`explain ${CLAIM_JOBS}`, [
      'analysis.run',
      1,
      'test',
      60,
      ['t0'],
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?Scan using jobs_queued/);
    expect(plan).not.toMatch(/Seq Scan|Sort/);
    const prepared = await db.transaction(async (tx) => {
      await tx.query('set local plan_cache_mode = force_generic_plan');
      await tx.query(`prepare adding as ${ADD_JOBS}`);
      return tx.query<{ 'QUERY PLAN': string }>(
        `explain execute adding ('analysis.run', 't0', 1, array['{}'], array[3])`,
      );
    });
    // The table of turns has two rows here, which PostgreSQL reads sequentially.
    expect(prepared.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/Seq Scan on jobs\b|Sort/);
  });
});

describe('queueSweepIfDue', () => {
  it('queues one sweep for all processes, and another only after the interval', async () => {
    const ticks = await Promise.all(Array.from({ length: 10 }, () => queueSweepIfDue(db, 60)));
    expect(ticks.filter(Boolean)).toHaveLength(1);
    await db.query('delete from jobs');
    expect(await queueSweepIfDue(db, 60)).toBe(false);
    await db.query(`update job_schedules set last_tick_at = now() - interval '61 seconds'`);
    expect(await queueSweepIfDue(db, 60)).toBe(true);
  });

  it('queues none while one is unfinished', async () => {
    expect(await queueSweepIfDue(db, 0)).toBe(true);
    expect(await queueSweepIfDue(db, 0)).toBe(false);
  });
});
