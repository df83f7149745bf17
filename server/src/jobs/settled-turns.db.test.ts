import { expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import type { JobKind } from './queue.ts';
import { deleteSettledTurns } from './store.ts';

const { db } = await createTestDatabase();

/** Nine tenants whose last turns of a kind follow `before`. */
const addTurns = (kind: JobKind, before: number) =>
  db.query(
    `insert into job_turns (kind, tenant, turn)
     select $1, 'ws_' || n, $2::integer + n from generate_series(1, 9) as n`,
    [kind, before],
  );
const addJob = (kind: JobKind, state: 'waiting' | 'queued' | 'running', turn: number) =>
  db.query(
    `insert into jobs (kind, tenant, payload, state, turn, attempts_max) values ($1, 'ws_1', '{}', $2, $3, 1)`,
    [kind, state, turn],
  );

it('deletes the turns before the current one of their kind, and keeps the others', async () => {
  // The latest running job has the current turn.
  await addTurns('analysis.run', 10);
  await addJob('analysis.run', 'running', 12);
  await addJob('analysis.run', 'running', 14);
  await addJob('analysis.run', 'queued', 16);
  // None runs: the next queued job has it. One that waits has no turn yet.
  await addTurns('mail.send', 0);
  await addJob('mail.send', 'waiting', 0);
  await addJob('mail.send', 'queued', 5);
  await addJob('mail.send', 'queued', 7);
  // None is queued either: the latest turn is the current one.
  await addTurns('usage.report', 0);

  expect(await deleteSettledTurns(db)).toBe(3 + 4 + 8);
  expect(
    await db.query(
      'select kind, array_agg(turn::integer order by turn) as turns from job_turns group by kind order by kind',
    ),
  ).toEqual([
    { kind: 'analysis.run', turns: [14, 15, 16, 17, 18, 19] },
    { kind: 'mail.send', turns: [5, 6, 7, 8, 9] },
    { kind: 'usage.report', turns: [9] },
  ]);
});
