import { setTimeout as delay } from 'node:timers/promises';
import type { OperationKind } from '../driver.ts';
import type { Member } from '../fleet.ts';
import { waitForJobs } from '../idle.ts';
import { createPeople, PEOPLE_ENV } from '../people.ts';
import { type Figures, type Outcome, runScenario, type ScenarioOptions, type Stage } from '../scenario.ts';
import { until } from '../until.ts';
import { QUICK_CLOCKS } from '../variants/clocks.ts';
import type { World } from '../world.ts';
import { provokeCancels } from './cancels.ts';
import { COLLECTING_BANNER, provokeDeadlines, SHORT_DOWNLOADS } from './deadlines.ts';
import { provokeNames } from './names.ts';
import { FEW_CONNECTIONS, provokeOverload } from './overload.ts';
import { provokeParking } from './parking.ts';
import { provokeSlowNeighbours } from './slow-neighbours.ts';

/** Short scenarios, each of which reliably causes one kind of fault: for the mutants, and as scenarios of their own (full.ts). */
export const PROVOCATIONS = {
  /** Nothing is killed, but other servers misbehave, and customers cancel and delete jobs. */
  'hard day': provokeHardDay,
  /** The API is killed right after it has answered 202. */
  'death after the answer': provokeDeathAfterAnswer,
  /** A worker is killed in the middle of a job. */
  'death at work': provokeDeathAtWork,
  /** A worker is stopped until its lease has expired, and resumes while another runs its job. */
  zombie: provokeZombie,
  /** Host names given by customers change to internal addresses. */
  names: (stage) => provokeNames(stage),
  /** People join, transfer ownership and pay. */
  people: provokePeople,
  /** All requests wait for the database, and more arrive. */
  overload: provokeOverload,
  /** A customer on the free plan reserves as much storage as possible. */
  parking: provokeParking,
  /** Long polls and a slow download, while garbage is collected. */
  deadlines: provokeDeadlines,
  /** One customer's slow servers and hours of audio compete with another's four seconds. */
  'slow neighbours': provokeSlowNeighbours,
  /** Jobs are canceled while the retries of all their receivers come due. */
  cancels: provokeCancels,
} as const satisfies Record<string, (stage: Stage) => Promise<Figures>>;
export type Provocation = keyof typeof PROVOCATIONS;

/** Each is longer than the work takes with the shortened clocks, even on a busy machine. */
const JOBS_MS_MAX = 120_000;
const ZOMBIE_JOBS_MS_MAX = 60_000;
const WORKER_MS_MAX = 240_000;
const PROGRESS_MS_MAX = 15_000;
const REFUSAL_MS_MAX = 10_000;

const ONE_OF_EACH = { serveCount: 1, workCount: 1 };
/** One process of each kind where a second one could take over and hide the fault. */
const WORLDS: Partial<Record<Provocation, Partial<ScenarioOptions>>> = {
  'hard day': ONE_OF_EACH,
  people: { ...ONE_OF_EACH, env: PEOPLE_ENV },
  overload: { ...ONE_OF_EACH, env: FEW_CONNECTIONS },
  parking: ONE_OF_EACH,
  'slow neighbours': ONE_OF_EACH,
  deadlines: { ...ONE_OF_EACH, banner: COLLECTING_BANNER, patches: SHORT_DOWNLOADS },
};

export function runProvocation(
  provocation: Provocation,
  options: Omit<ScenarioOptions, 'name'> & { name?: string },
): Promise<Outcome> {
  const world = WORLDS[provocation];
  const patches = [...(options.patches ?? QUICK_CLOCKS), ...(world?.patches ?? [])];
  const scenario = { name: provocation, tenantCount: 2, ...world, ...options, patches };
  return runScenario(scenario, PROVOCATIONS[provocation]);
}

async function provokeHardDay({ world, driver }: Stage): Promise<Figures> {
  world.webhooks.misbehave({ accept: 2, refuse: 2, 'accept-and-reset': 1 });
  world.stripe.misbehave();
  for (const tenant of world.tenants) {
    const kinds: OperationKind[] = ['upload', 'object', 'object', 'object', 'session', 'broken'];
    await Promise.all(kinds.map((kind) => driver.perform(kind, tenant)));
    await driver.perform('cancel', tenant);
  }
  for (let round = 0; round < 12; round += 1) {
    await Promise.all((['probe', 'probe', 'read', 'list'] as const).map((kind) => driver.perform(kind)));
  }
  await driver.perform('delete');
  // Without a refused call, the mutants of webhooks would not show.
  await waitForJobs(world, JOBS_MS_MAX);
  await until(() => world.webhooks.calls.some(({ behaviour }) => behaviour === 'refuse'), REFUSAL_MS_MAX);
  return {};
}

async function provokeDeathAfterAnswer({ world, driver }: Stage): Promise<Figures> {
  const rounds = 6;
  for (let round = 0; round < rounds; round += 1) {
    await driver.perform(round % 2 === 0 ? 'upload' : 'url');
    for (const member of world.fleet.of('serve')) member.kill('SIGKILL');
  }
  return { kills: rounds * world.fleet.of('serve').length };
}

async function provokeDeathAtWork({ world, driver }: Stage): Promise<Figures> {
  await driver.perform('long');
  await until(async () => {
    const { rows } = await world.postgres.pool.query('select 1 from analyses where progress > 0.1');
    return rows.length > 0;
  }, PROGRESS_MS_MAX);
  for (const member of world.fleet.of('work')) member.kill('SIGKILL');
  return { kills: world.fleet.of('work').length };
}

/** Waits for a worker that runs an analysis in this attempt or a later one. `leased_by` contains its process id. */
export async function waitForWorker(world: World, attempt = 1): Promise<Member> {
  let found: Member | undefined;
  await until(async () => {
    const { rows } = await world.postgres.pool.query<{ leased_by: string }>(
      `select leased_by from jobs j join analyses a on a.id = j.payload->>'analysisId'
       where j.kind = 'analysis.run' and j.state = 'running' and j.attempt + j.deaths >= $1 and a.progress > 0 limit 1`,
      [attempt],
    );
    const pid = Number(rows[0]?.leased_by?.split(':')[1]);
    found = world.fleet.of('work').find((member) => member.pid() === pid);
    return found !== undefined;
  }, WORKER_MS_MAX);
  if (!found) throw new Error('No worker took the job');
  return found;
}

/** How long the second worker has had the job when the first resumes. What the first then tries to write depends on it. */
const HEAD_STARTS_MS = [500, 0, 250];

async function provokeZombie({ world, driver, problems }: Stage): Promise<Figures> {
  for (const headStartMs of HEAD_STARTS_MS) {
    await driver.perform('long');
    const sleeper = await waitForWorker(world);
    sleeper.kill('SIGSTOP');
    try {
      await waitForWorker(world, 2);
      await delay(headStartMs);
    } finally {
      sleeper.kill('SIGCONT');
    }
    if (sleeper.exits.includes('SIGKILL')) problems.push('the stopped worker was killed');
    await waitForJobs(world, ZOMBIE_JOBS_MS_MAX);
  }
  return { zombies: HEAD_STARTS_MS.length };
}

async function provokePeople({ world, problems }: Stage): Promise<Figures> {
  const people = createPeople(world);
  for (const tenant of world.tenants) {
    for (const act of [people.join, people.transferOwnership, people.transferOwnership]) {
      const phase = await act(tenant);
      if (phase !== 'ok')
        problems.push(`${tenant.name}: joining or transferring ownership ended as ${phase}`);
    }
    for (let count = 0; count < 4; count += 1) await people.pay(tenant);
  }
  return {};
}
