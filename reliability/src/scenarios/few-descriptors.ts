import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from '../fleet.ts';
import { type Outcome, runScenario } from '../scenario.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';

/** Chosen: enough to start and to work. */
const DESCRIPTORS_MAX = 256;
/** Chosen: more than that, to each process. */
const CROWD_CONNECTIONS = 320;
const CROWDED_MS = 3_000;
/** Chosen: Node keeps one in reserve, and some are closed and opened all the time. */
const SPARE_DESCRIPTORS = 4;

/**
 * A12: more connections than a process has descriptors for. It must not end, nothing may be lost, and once the connections are gone
 * everything works again without a restart.
 */
export function runFewDescriptors(seed: string): Promise<Outcome> {
  const options = { name: 'too few descriptors', seed, tenantCount: 2, descriptorsMax: DESCRIPTORS_MAX };
  return runScenario(options, async ({ world, driver, problems }) => {
    const restarted = world.fleet.watchRestarts();
    const crowd = await openCrowd(world);
    // These are repeated until they are answered.
    const kinds = ['upload', 'object', 'url', 'session', 'upload', 'object'] as const;
    const patient = Promise.all(kinds.map((kind) => driver.perform(kind)));
    const used = () => Math.max(...world.fleet.of('serve').map(countDescriptors));
    const full = await until(() => used() >= DESCRIPTORS_MAX - SPARE_DESCRIPTORS, 15_000, 20);
    if (!full) problems.push(`at most ${used()} of ${DESCRIPTORS_MAX} descriptors were in use`);
    await delay(CROWDED_MS);
    for (const socket of crowd) socket.destroy();
    const goneMs = performance.now();
    const ready = await until(() => world.fleet.saysReady(5_000), 30_000);
    if (!ready) problems.push('not ready 30 s after the crowd has left');
    const readyMs = Math.round(performance.now() - goneMs);
    await patient;
    if ((await driver.perform('upload')) !== 'ok') problems.push('no upload after the crowd has left');
    for (const { name } of restarted()) problems.push(`${name} ended`);
    return { descriptors: DESCRIPTORS_MAX, connections: crowd.length, 'ready again after, ms': readyMs };
  });
}

function countDescriptors(member: Member): number {
  return readdirSync(`/proc/${member.pid()}/fd`).length;
}

async function openCrowd(world: World): Promise<Socket[]> {
  const urls = world.fleet.of('serve').flatMap((member) => member.url() ?? []);
  const sockets = urls.flatMap((url) =>
    Array.from({ length: CROWD_CONNECTIONS }, () => connect(Number(new URL(url).port), '127.0.0.1')),
  );
  for (const socket of sockets) socket.on('error', () => {}).resume();
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => {})));
  return sockets;
}
