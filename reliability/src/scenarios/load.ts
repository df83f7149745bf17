import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from '../fleet.ts';
import { waitForJobs } from '../idle.ts';
import { countStatuses, type LoadRequest, percentileMs, type Sample, sendOpenLoop } from '../open-loop.ts';
import { type Figures, type Outcome, runScenario, type Stage } from '../scenario.ts';
import type { Tenant } from '../tenant.ts';
import { makeTone } from '../tone.ts';
import { uploadFile } from '../upload.ts';
import { patchServer } from '../variants/build-variant.ts';
import type { World } from '../world.ts';
import { holdSlowClients } from './slow-clients.ts';

/** Replaces the analysis by a wait of 200 ms and the failure `no_audio`, to measure everything but the computation. */
export const STUB_WORK = patchServer(
  'analyses/attempt/run.ts',
  '      const outcome = await analyseSource(ctx, job, analysis, { source, limits }, progress, signal);',
  `      await new Promise((resolve) => setTimeout(resolve, 200));
      const { failAnalysis } = await import('./complete.ts');
      await failAnalysis(ctx, job.lease, analysis.id, { code: 'no_audio', message: 'stub', retryable: false });
      return;
      const outcome = await analyseSource(ctx, job, analysis, { source, limits }, progress, signal);`,
);
const TENANT_COUNT = 5;
/** This and the rates of reads and submits are what one installation is required to handle. */
const FILLER_ROWS = 100_000;
const READS_PER_SECOND = 200;
const SUBMITS_PER_SECOND = 50;
/** Five times what the two API processes together allow one workspace: 2 × 3,000 requests a minute. */
const OVERLOAD_PER_SECOND = 500;
const OVERLOAD_SECONDS = 20;
/** A moment to work off what is in progress. */
const AFTER_OVERLOAD_MS = 2_000;
/** Reads to judge the service by, beside a disturbance and after one: far below READS_PER_SECOND. */
const CONTROL_READS_PER_SECOND = 20;
const CONTROL_READS_BESIDE_OVERLOAD_PER_SECOND = 10;
/** Longer than the jobs of a measurement take, even on a busy machine. */
const JOBS_MS_MAX = 180_000;
/** 300 jobs: with four slots and 200 ms each, 15 s of work. */
const FLOOD_PER_SECOND = 100;
const FLOOD_SECONDS = 3;
const OTHERS_JOBS_EACH = 5;
/** One and a half times the required 20 and 30 s, for a busy machine. */
const HEADERS_CUT_SECONDS_MAX = 30;
const BODIES_CUT_SECONDS_MAX = 45;

/** Reads, submits, fairness between tenants, large uploads, slow clients and overload, one after the other. */
export function runLoad(seed: string, options: { seconds: number }): Promise<Outcome> {
  const scenario = {
    name: 'load',
    seed,
    patches: [STUB_WORK],
    tenantCount: TENANT_COUNT,
    workCount: 1,
    // The default limit of requests, and twice the default slots of a worker, since the stub computes nothing.
    env: { REQUESTS_PER_MINUTE: '3000', WORKER_CONCURRENCY: '4' },
  };
  return runScenario(scenario, async (stage) => {
    const objects = await prepare(stage.world);
    return {
      ...(await measureReads(stage, options.seconds)),
      ...(await measureSubmits(stage, objects, options.seconds)),
      ...(await measureFairness(stage, objects)),
      ...(await measureLargeUploads(stage)),
      ...(await measureSlowClients(stage)),
      ...(await measureOverload(stage)),
    };
  });
}

/** Inserts a hundred thousand jobs, and uploads a file per tenant that is submitted repeatedly. */
async function prepare(world: World): Promise<Map<Tenant, string>> {
  await world.postgres.pool.query(
    `insert into analyses (id, surface, status, source_kind, source_url, created_by_kind, demo_token_hash, demo_expires_at, completed_at)
     select 'job_filler' || n, 'demo', 'completed', 'url', 'http://example.com/', 'demo', md5(n::text), now() + interval '1 day', now()
     from generate_series(1, ${FILLER_ROWS}) n`,
  );
  await world.postgres.pool.query('analyze analyses');
  const objects = new Map<Tenant, string>();
  const url = await world.fleet.anyUrl();
  for (const tenant of world.tenants) {
    const slot = await fetch(`${url}/v1/storage-objects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': tenant.apiKey },
      body: JSON.stringify({ content_type: 'audio/wav' }),
    });
    const { id, signed_url } = (await slot.json()) as { id: string; signed_url: string };
    const { pathname, search } = new URL(signed_url);
    await fetch(`${url}${pathname}${search}`, {
      method: 'PUT',
      headers: { 'content-type': 'audio/wav' },
      body: new Uint8Array(makeTone({ toneHz: 440 })),
    });
    objects.set(tenant, id);
  }
  return objects;
}

function summarize(name: string, samples: readonly Sample[]): Figures {
  return {
    [`${name}: requests`]: samples.length,
    [`${name}: p50 ms`]: percentileMs(samples, 50),
    [`${name}: p99 ms`]: percentileMs(samples, 99),
    [`${name}: answers`]: JSON.stringify(countStatuses(samples)),
  };
}

function expectAll(expected: number, name: string, samples: readonly Sample[], problems: string[]): void {
  const bad = samples.filter(({ status }) => status !== expected);
  if (bad.length > 0)
    problems.push(`${name}: ${bad.length} of ${samples.length} were not answered ${expected}`);
}

async function measureReads({ world, driver, problems }: Stage, seconds: number): Promise<Figures> {
  for (const tenant of world.tenants) await driver.perform('object', tenant);
  const samples = await sendOpenLoop(READS_PER_SECOND, seconds, createReads(world, driver));
  expectAll(200, 'reads', samples, problems);
  return summarize(`reads at ${READS_PER_SECOND}/s`, samples);
}

function createReads(world: World, driver: Stage['driver']): (index: number) => LoadRequest {
  const urls = world.fleet.urls();
  return (index) => {
    const tenant = world.tenants[index % TENANT_COUNT]!;
    const path = index % 5 === 4 ? '/v1/analyses?limit=20' : `/v1/analyses/${driver.jobsOf(tenant)[0]}`;
    return { url: `${urls[index % urls.length]}${path}`, headers: { 'x-api-key': tenant.apiKey } };
  };
}

function createSubmit(world: World, tenant: Tenant, objectId: string, index: number): LoadRequest {
  const urls = world.fleet.urls();
  return {
    url: `${urls[index % urls.length]}/v1/analyses`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': tenant.apiKey },
    body: JSON.stringify({ storage_object_id: objectId, retain_source: true }),
  };
}

async function measureSubmits(
  { world, problems }: Stage,
  objects: Map<Tenant, string>,
  seconds: number,
): Promise<Figures> {
  // The hundred credits of the free plan would not last.
  const paying = world.tenants.filter((tenant) => tenant.metered);
  const samples = await sendOpenLoop(SUBMITS_PER_SECOND, seconds, (index) => {
    const tenant = paying[index % paying.length]!;
    return createSubmit(world, tenant, objects.get(tenant)!, index);
  });
  expectAll(202, 'submits', samples, problems);
  await waitForJobs(world, JOBS_MS_MAX);
  return summarize(`submits at ${SUBMITS_PER_SECOND}/s`, samples);
}

/** One tenant submits 300 jobs, then four others submit five each and must not wait for all of them. */
async function measureFairness({ world, problems }: Stage, objects: Map<Tenant, string>): Promise<Figures> {
  const [flooder, ...others] = world.tenants;
  const { rows } = await world.postgres.pool.query<{ now: Date }>('select now()');
  const since = rows[0]!.now;
  await sendOpenLoop(FLOOD_PER_SECOND, FLOOD_SECONDS, (index) =>
    createSubmit(world, flooder, objects.get(flooder)!, index),
  );
  const othersSeconds = (others.length * OTHERS_JOBS_EACH) / SUBMITS_PER_SECOND;
  await sendOpenLoop(SUBMITS_PER_SECOND, othersSeconds, (index) => {
    const tenant = others[index % others.length]!;
    return createSubmit(world, tenant, objects.get(tenant)!, index);
  });
  await waitForJobs(world, JOBS_MS_MAX);
  const done = await world.postgres.pool.query<{
    flooder: boolean;
    jobs: number;
    waited_seconds: number;
    through_seconds: number;
  }>(
    `select workspace_id = $1 as flooder, count(*)::int as jobs,
       round(extract(epoch from max(completed_at - created_at))::numeric, 1)::float as waited_seconds,
       round(extract(epoch from max(completed_at) - min(created_at))::numeric, 1)::float as through_seconds
     from analyses where created_at > $2 and workspace_id is not null group by 1`,
    [flooder.workspaceId, since],
  );
  const of = (isFlooder: boolean) => done.rows.find((row) => row.flooder === isFlooder);
  const [flood, rest] = [of(true), of(false)];
  if (!flood || !rest) throw new Error('No job of the flood or of the others was accepted');
  if (rest.waited_seconds > flood.through_seconds / 2)
    problems.push('the small tenants waited longer than half of the flood took');
  return {
    'fairness: jobs of the flood': flood.jobs,
    'fairness: seconds until the flood was through': flood.through_seconds,
    'fairness: jobs of the others': rest.jobs,
    'fairness: longest wait of the others, seconds': rest.waited_seconds,
  };
}

/** Just below the limit of an upload. */
const LARGE_BYTES = 49_000_000;
const LARGE_UPLOADS_AT_ONCE = 20;

async function measureLargeUploads({ world, problems }: Stage): Promise<Figures> {
  const paying = world.tenants.filter((tenant) => tenant.metered);
  const serve = world.fleet.of('serve')[0]!;
  const beforeMegabytes = residentMegabytes(serve, 'VmRSS');
  const bytes = Buffer.alloc(LARGE_BYTES);
  makeTone({ toneHz: 440, seconds: 1 }).copy(bytes);
  const startedMs = performance.now();
  const uploads = Array.from({ length: LARGE_UPLOADS_AT_ONCE }, async (_, index) => {
    const tenant = paying[index % paying.length]!;
    return (await uploadFile(serve.url()!, tenant, { name: 'large.wav', bytes })).status;
  });
  const statuses = await Promise.all(uploads);
  const peakMegabytes = residentMegabytes(serve, 'VmHWM');
  if (statuses.some((status) => status !== 202))
    problems.push(`large uploads were answered ${statuses.join(' ')}`);
  return {
    '20 × 49 MB: seconds': Math.round((performance.now() - startedMs) / 1000),
    '20 × 49 MB: API resident MB before': beforeMegabytes,
    '20 × 49 MB: API resident MB at most': peakMegabytes,
  };
}

/** VmRSS is the current value, VmHWM the peak. */
function residentMegabytes(member: Member, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${member.pid()}/status`, 'latin1');
  return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) / 1024);
}

async function measureSlowClients({ world, driver, problems }: Stage): Promise<Figures> {
  const url = new URL(await world.fleet.anyUrl());
  const counts = { headers: 100, bodies: 50 };
  const [{ headersCutSeconds, bodiesCutSeconds }, samples] = await Promise.all([
    holdSlowClients(Number(url.port), world.tenants[0].apiKey, counts),
    sendOpenLoop(CONTROL_READS_PER_SECOND, 10, createReads(world, driver)),
  ]);
  expectAll(200, 'reads beside slow clients', samples, problems);
  if (headersCutSeconds > HEADERS_CUT_SECONDS_MAX)
    problems.push(`slow headers were cut only after ${headersCutSeconds} s`);
  if (bodiesCutSeconds > BODIES_CUT_SECONDS_MAX)
    problems.push(`slow bodies were cut only after ${bodiesCutSeconds} s`);
  return {
    'slow clients: headers cut after seconds, at most': headersCutSeconds,
    'slow clients: bodies cut after seconds, at most': bodiesCutSeconds,
    ...summarize('reads beside slow clients', samples),
  };
}

/** One workspace sends far more than its limit: it is refused, and afterwards the others are served as usual. */
async function measureOverload({ world, driver, problems }: Stage): Promise<Figures> {
  const [greedy] = world.tenants;
  const urls = world.fleet.urls();
  const job = driver.jobsOf(greedy)[0];
  const flood = sendOpenLoop(OVERLOAD_PER_SECOND, OVERLOAD_SECONDS, (index) => ({
    url: `${urls[index % urls.length]}/v1/analyses/${job}`,
    headers: { 'x-api-key': greedy.apiKey },
  }));
  const reads = createReads(world, driver);
  const otherReads = sendOpenLoop(CONTROL_READS_BESIDE_OVERLOAD_PER_SECOND, OVERLOAD_SECONDS, reads);
  const [flooded, others] = [
    await flood,
    // The reads take turns by tenant, and the first tenant is the greedy one.
    (await otherReads).filter((_, index) => index % TENANT_COUNT !== 0),
  ];
  await delay(AFTER_OVERLOAD_MS);
  const after = await sendOpenLoop(CONTROL_READS_PER_SECOND, 5, (index) =>
    reads(1 + (index % (TENANT_COUNT - 1))),
  );
  expectAll(200, 'reads after the overload', after, problems);
  const shed = flooded.filter(({ status }) => status === 429 || status === 503).length;
  if (shed === 0) problems.push('the overload was not shed');
  return {
    ...summarize(`overload at ${OVERLOAD_PER_SECOND}/s`, flooded),
    'overload: shed': shed,
    ...summarize('others beside the overload', others),
    ...summarize('reads after the overload', after),
  };
}
