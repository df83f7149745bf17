import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from '../fleet.ts';
import { type Outcome, runScenario } from '../scenario.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';

/** Enough to start and to work normally. */
const DESCRIPTORS_MAX = 256;
/** To each process: more than it has descriptors for. */
const CROWD_CONNECTIONS = 320;
/** How long the submissions meet processes without a descriptor. */
const CROWDED_MS = 3_000;
/** Each is longer than the service takes, even on a busy machine. */
const FULL_MS_MAX = 15_000;
const READY_MS_MAX = 30_000;
const READY_ANSWER_MS_MAX = 5_000;
/** Node keeps one in reserve, and the service closes and opens some all the time. */
const SPARE_DESCRIPTORS = 4;

/**
 * Each API process gets more connections than it has descriptors for. It must not exit, nothing may be lost, and once the connections are
 * closed everything works again without a restart.
 */
export function runFewDescriptors(seed: string): Promise<Outcome> {
  const options = { name: 'too few descriptors', seed, tenantCount: 2, descriptorsMax: DESCRIPTORS_MAX };
  return runScenario(options, async ({ world, driver, problems }) => {
    const restarted = world.fleet.watchRestarts();
    const crowd = await openCrowd(world);
    // The driver repeats these until they are answered.
    const kinds = ['upload', 'object', 'url', 'session', 'upload', 'object'] as const;
    const submissions = Promise.all(kinds.map((kind) => driver.perform(kind)));
    const areFull = () =>
      world.fleet
        .of('serve')
        .every((member) => countDescriptors(member) >= DESCRIPTORS_MAX - SPARE_DESCRIPTORS);
    if (!(await until(areFull, FULL_MS_MAX, 20)))
      problems.push('not every API process ran out of descriptors');
    await delay(CROWDED_MS);
    for (const socket of crowd) socket.destroy();
    const closedMs = performance.now();
    const ready = await until(() => world.fleet.reportsReady(READY_ANSWER_MS_MAX), READY_MS_MAX);
    if (!ready) problems.push(`not ready ${READY_MS_MAX / 1000} s after the connections were closed`);
    const readyMs = Math.round(performance.now() - closedMs);
    await submissions;
    if ((await driver.perform('upload')) !== 'ok')
      problems.push('an upload fails after the connections were closed');
    for (const { name } of restarted()) problems.push(`${name} exited`);
    return { descriptors: DESCRIPTORS_MAX, connections: crowd.length, 'ready again after, ms': readyMs };
  });
}

function countDescriptors(member: Member): number {
  return readdirSync(`/proc/${member.pid()}/fd`).length;
}

async function openCrowd(world: World): Promise<Socket[]> {
  const sockets = world.fleet
    .urls()
    .flatMap((url) =>
      Array.from({ length: CROWD_CONNECTIONS }, () => connect(Number(new URL(url).port), '127.0.0.1')),
    );
  for (const socket of sockets) socket.on('error', () => {}).resume();
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => {})));
  return sockets;
}
