import { countUnfinished, waitForJobs } from '../idle.ts';
import { type Figures, type Outcome, runScenario, type Stage } from '../scenario.ts';
import type { NameAnswer } from '../stand-ins/dns-stand-in.ts';
import { until } from '../until.ts';

const OPEN: NameAnswer = { addresses: ['127.0.0.1'] };
const CLOSED: NameAnswer = { addresses: ['127.0.0.2'] };
const CLOSED_SIX: NameAnswer = { addresses: ['::1'] };
/** Far more than fit into a datagram. */
const crowd = Array.from({ length: 1_000 }, () => '127.0.0.1');

/** Names that resolve to a closed address, alone or among others: a submission with one is refused. */
const REFUSED: Record<string, NameAnswer> = {
  closed: CLOSED,
  'closed-six': CLOSED_SIX,
  alias: { alias: 'inner.test', addresses: ['127.0.0.2'] },
  mixed: { addresses: ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.1'] },
  'mixed-families': { addresses: ['127.0.0.1', '::1'] },
  'crowd-with-one-closed': { addresses: [...crowd, '127.0.0.2'] },
};
/** Names that cannot be resolved: a submission is accepted, since the name may resolve later, and the job fails. */
const FAULTS = ['no such name', 'server failure', 'silence', 'garbage'] as const;
/**
 * Names that change from an open to a closed address between two lookups (DNS rebinding): a service that checked one answer and resolved
 * again to connect would reach the closed address. There is one for each number of lookups that the checks might take.
 */
const TURNS: readonly (readonly NameAnswer[])[] = [
  ...[1, 2, 3, 4, 5, 6].map((lookups) => [...Array<NameAnswer>(lookups).fill(OPEN), CLOSED]),
  [OPEN, CLOSED_SIX],
  [OPEN, { alias: 'inner.test', addresses: ['127.0.0.2'] }],
];
/** DNS may take 5 s; the rest is for a busy machine. */
const ANSWER_MS_MAX = 8_000;
const AT_A_TIME = 5;
/** Longer than the jobs take with their retries, even on a busy machine. */
const JOBS_MS_MAX = 120_000;
const JOB_MS_MAX = 60_000;

/** Host names in URLs of audio and webhooks that resolve to closed addresses, change or fail. No canary may be reached. */
export function runNames(seed: string, turns: number): Promise<Outcome> {
  return runScenario({ name: 'names that lie', seed, tenantCount: 2 }, (stage) => provokeNames(stage, turns));
}

export async function provokeNames(stage: Stage, turns = 2 * TURNS.length): Promise<Figures> {
  const { world, problems } = stage;
  const ports = [world.origin.url, world.webhooks.url].map((url) => Number(new URL(url).port));
  for (const port of ports)
    if (!world.canaries.addresses.includes(`127.0.0.2:${port}`)) problems.push(`no canary on port ${port}`);
  await turnNames(stage, turns);
  const refusedCount = await refuseNames(stage);
  const slowestMs = await useUnresolvable(stage);
  await useHonest(stage);
  await waitForJobs(world, JOBS_MS_MAX);
  return {
    'names that turned': turns,
    'names refused': refusedCount,
    'slowest answer for an unresolvable name, ms': slowestMs,
  };
}

/** Half of the names are used for audio, half for webhooks. The latter become open again in the end, and the event must still arrive. */
async function turnNames({ world, driver }: Stage, turns: number): Promise<void> {
  const turnOne = async (number: number) => {
    const answers = TURNS[Math.floor(number / 2) % TURNS.length] ?? [];
    const name = `turn-${number}.test`;
    const audio = number % 2 === 0;
    world.dns.script(name, audio ? answers : [...answers, CLOSED, OPEN]);
    const tenant = world.tenants[number % world.tenants.length]!;
    const overrides = audio
      ? { originUrl: withHostname(world.origin.url, name) }
      : { webhookUrl: withHostname(tenant.jobWebhookUrl, name) };
    await driver.perform('url', tenant, overrides);
  };
  for (let first = 0; first < turns; first += AT_A_TIME) {
    const numbers = Array.from({ length: Math.min(AT_A_TIME, turns - first) }, (_, index) => first + index);
    await Promise.all(numbers.map(turnOne));
    await until(async () => (await countUnfinished(world)) < AT_A_TIME, JOB_MS_MAX);
  }
}

/** Uses each name for audio, for the webhook of a job and for an endpoint. Returns how often it was refused. */
async function refuseNames({ world, driver, problems }: Stage): Promise<number> {
  let refusedCount = 0;
  for (const [label, answer] of Object.entries(REFUSED)) {
    const name = `${label}.test`;
    world.dns.script(name, [answer]);
    const [tenant] = world.tenants;
    const uses = {
      'audio at': { originUrl: withHostname(world.origin.url, name) },
      'a webhook at': { webhookUrl: withHostname(tenant.jobWebhookUrl, name) },
    };
    for (const [use, overrides] of Object.entries(uses)) {
      const phase = await driver.perform('url', tenant, overrides);
      if (phase === 'failed') refusedCount += 1;
      else problems.push(`${use} ${name} was not refused: ${phase}`);
    }
    const response = await fetch(`${await world.fleet.anyUrl()}/v1/webhook-endpoints`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tenant.sessionToken}`,
      },
      body: JSON.stringify({ url: withHostname(world.webhooks.url, name) }),
    });
    const { detail } = (await response.json()) as { detail?: { type?: string }[] };
    if (Array.isArray(detail) && detail[0]?.type === 'url_not_allowed') refusedCount += 1;
    else problems.push(`an endpoint at ${name} was answered ${response.status} ${JSON.stringify(detail)}`);
  }
  return refusedCount;
}

/** Returns the time of the slowest answer. */
async function useUnresolvable({ world, driver, problems }: Stage): Promise<number> {
  let slowestMs = 0;
  for (const fault of FAULTS) {
    const name = `${fault.replaceAll(' ', '-')}.test`;
    world.dns.script(name, [{ fault }]);
    const startedMs = performance.now();
    const originUrl = withHostname(world.origin.url, name);
    const phase = await driver.perform('url', undefined, { originUrl });
    if (phase !== 'ok') problems.push(`audio at ${name} was not accepted: ${phase}`);
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - startedMs));
  }
  if (slowestMs > ANSWER_MS_MAX)
    problems.push(`a name that cannot be resolved delayed the answer by ${slowestMs} ms`);
  return slowestMs;
}

/** Names that resolve only to open addresses: one, and more than fit into a datagram. */
async function useHonest({ world, driver, problems }: Stage): Promise<void> {
  world.dns.script('honest.test', [OPEN]);
  world.dns.script('crowd.test', [{ addresses: crowd }]);
  for (const name of ['honest.test', 'crowd.test']) {
    world.origin.calm();
    await driver.perform('url', undefined, { originUrl: withHostname(world.origin.url, name) });
    const ended = await until(async () => {
      const { rows } = await world.postgres.pool.query(
        `select 1 from analyses where source_url like $1 and status = 'completed'`,
        [`http://${name}:%`],
      );
      return rows.length === 1;
    }, JOB_MS_MAX);
    if (!ended) problems.push(`audio at ${name} was not analysed`);
  }
}

function withHostname(url: string, hostname: string): string {
  const moved = new URL(url);
  moved.hostname = hostname;
  return moved.href.replace(/[/]$/, '');
}
