import { setTimeout as delay } from 'node:timers/promises';
import type { OperationKind } from './driver.ts';
import type { Facts, Phase } from './history.ts';
import { type Answer, callService } from './http-call.ts';
import type { Random } from './random.ts';
import { type Submission, submissionOf, type UrlOverrides } from './submissions.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

/** Longer than a running service takes for any answer, even on a busy machine. */
const CALL_MS_MAX = 15_000;
/** Longer than the service is down in any scenario. After that, the outcome of a submission is recorded as unknown. */
const RETRY_MS_MAX = 240_000;
/** Between two tries: random, so that customers do not repeat in step. */
const RETRY_PAUSE_MS_MIN = 100;
const RETRY_PAUSE_MS_MAX = 600;

export type CustomerState = {
  random: Random;
  /** The ids of accepted jobs, by tenant name. */
  jobs: Map<string, string[]>;
  counts: { acceptedJobs: number };
  hasEnded: () => boolean;
};

export type Customers = {
  /** Performs one operation and records its outcome. */
  operate(kind: OperationKind, tenant: Tenant, overrides?: UrlOverrides): Promise<Phase>;
};

/** Sends the requests of customers, and records the answers. */
export function createCustomers(world: World, state: CustomerState): Customers {
  const send = createSender(world, state.random);
  const submit = createSubmitter(world, state, send);
  const { act, list, probe } = createReaders(world, state, send);
  return {
    async operate(kind, tenant, overrides) {
      if (kind === 'cancel' || kind === 'delete' || kind === 'read') return act(kind, tenant);
      if (kind === 'list') return list(tenant);
      if (kind === 'probe') return probe(tenant);
      return submit(kind, tenant, overrides);
    },
  };
}

type Send = (
  tenant: Tenant,
  pathOrUrl: string,
  init: RequestInit,
  auth?: 'key' | 'session',
) => Promise<Answer>;

function createSender(world: World, random: Random): Send {
  return async (tenant, pathOrUrl, init, auth = 'key') => {
    const base = await world.fleet.anyUrl(random.integer(0, 7)).catch(() => null);
    if (base === null) return { kind: 'unknown', reason: 'no process takes requests' };
    const credentials: Record<string, string> =
      auth === 'key' ? { 'x-api-key': tenant.apiKey } : { authorization: `Bearer ${tenant.sessionToken}` };
    const headers = { ...credentials, ...(init.headers as Record<string, string> | undefined) };
    // A signed URL may lead to the object store, which must not receive credentials of the service.
    if (URL.canParse(pathOrUrl)) return callService(pathOrUrl, init, CALL_MS_MAX);
    return callService(`${base}${pathOrUrl}`, { ...init, headers }, CALL_MS_MAX);
  };
}

/** The name of another tenant whose marker is in the answer; null when there is none. */
function findLeakedTenant(tenants: readonly Tenant[], tenant: Tenant, answer: Answer): string | null {
  if (answer.kind !== 'answer') return null;
  return tenants.find((other) => other !== tenant && answer.text.includes(other.marker))?.name ?? null;
}

function createSubmitter(
  world: World,
  { random, jobs, counts, hasEnded }: CustomerState,
  send: Send,
): Customers['operate'] {
  const { history, tenants } = world;

  async function submit(kind: OperationKind, tenant: Tenant, overrides?: UrlOverrides): Promise<Phase> {
    const op = history.newOperation();
    const submission = submissionOf(kind, op, tenant, world, random, overrides);
    const { key, requestedJobCount } = submission;
    const facts = { op, kind, tenant: tenant.name, key, requestedJobCount };
    history.record({ ...facts, phase: 'invoke' });
    const answer = await retryUntilDecided(tenant, submission);
    if (answer.kind === 'unknown') {
      history.record({ ...facts, phase: 'unknown', reason: answer.reason });
      return 'unknown';
    }
    const { status, code } = answer;
    const outcome = { ...facts, status, code, leakedTenant: findLeakedTenant(tenants, tenant, answer) };
    if (status !== 202) {
      const phase = isUndecided(answer) ? 'unknown' : 'failed';
      history.record({ ...outcome, phase });
      return phase;
    }
    const jobIds = jobIdsOf(answer.body);
    // Like a client that lost the answer, every other one submits again: with the same key this must not create another job.
    if (key !== null && op % 2 === 0)
      await submission.send((path, init) => send(tenant, path, init, submission.auth));
    history.record({ ...outcome, phase: 'ok', jobIds });
    jobs.get(tenant.name)?.push(...jobIds);
    counts.acceptedJobs += jobIds.length;
    return 'ok';
  }

  /** With a key, repeats the submission until the answer is definite; without one, sends it once. */
  async function retryUntilDecided(tenant: Tenant, submission: Submission): Promise<Answer> {
    const deadlineMs = performance.now() + RETRY_MS_MAX;
    for (;;) {
      const answer = await submission.send((path, init) => send(tenant, path, init, submission.auth));
      const decided = answer.kind === 'answer' && !isUndecided(answer);
      if (decided || submission.key === null || hasEnded() || performance.now() > deadlineMs) return answer;
      await delay(random.integer(RETRY_PAUSE_MS_MIN, RETRY_PAUSE_MS_MAX));
    }
  }

  return submit;
}

function createReaders(world: World, { random, jobs }: CustomerState, send: Send) {
  const { history, tenants } = world;

  async function act(kind: 'cancel' | 'delete' | 'read', tenant: Tenant): Promise<Phase> {
    const own = jobs.get(tenant.name) ?? [];
    if (own.length === 0) return 'failed';
    // Only recent jobs may still be running and so worth canceling.
    const target = random.pick(kind === 'read' ? own : own.slice(-12));
    const op = history.newOperation();
    const facts = { op, kind, tenant: tenant.name, target };
    history.record({ ...facts, phase: 'invoke' });
    const requests: Record<typeof kind, [string, RequestInit]> = {
      cancel: [`/v1/analyses/${target}/cancel`, { method: 'POST' }],
      delete: [`/v1/analyses/${target}`, { method: 'DELETE' }],
      read: [`/v1/analyses/${target}`, {}],
    };
    const answer = await send(tenant, ...requests[kind]);
    return conclude(facts, tenant, answer);
  }

  async function list(tenant: Tenant): Promise<Phase> {
    const facts = { op: history.newOperation(), kind: 'list', tenant: tenant.name };
    history.record({ ...facts, phase: 'invoke' });
    return conclude(facts, tenant, await send(tenant, '/v1/analyses?limit=100', {}));
  }

  /** Requests another tenant's job through a random route; the only right answer is 404. */
  async function probe(tenant: Tenant): Promise<Phase> {
    const other = random.pick(tenants.filter((candidate) => candidate !== tenant));
    const theirs = other && jobs.get(other.name);
    if (!theirs || theirs.length === 0) return 'failed';
    const target = random.pick(theirs);
    const [path, init] = random.pick(probesOf(target));
    const facts = { op: history.newOperation(), kind: 'probe', tenant: tenant.name, target };
    history.record({ ...facts, phase: 'invoke' });
    const answer = await send(tenant, path, init);
    return conclude({ ...facts, reason: `${init.method ?? 'GET'} ${path}` }, tenant, answer);
  }

  function conclude(facts: Omit<Facts, 'phase'>, tenant: Tenant, answer: Answer): Phase {
    if (answer.kind === 'unknown') {
      history.record({ ...facts, phase: 'unknown', reason: answer.reason });
      return 'unknown';
    }
    const { status, code } = answer;
    const phase = status < 300 ? 'ok' : isUndecided(answer) ? 'unknown' : 'failed';
    history.record({
      ...facts,
      phase,
      status,
      code,
      seenStatuses: status === 200 ? statusesIn(answer.body) : {},
      leakedTenant: findLeakedTenant(tenants, tenant, answer),
    });
    return phase;
  }

  return { act, list, probe };
}

/** The service neither accepted nor refused: it failed, was overloaded, or was still processing the same key. */
function isUndecided(answer: Answer & { kind: 'answer' }): boolean {
  return answer.status >= 500 || answer.status === 429 || answer.code === 'idempotency_in_progress';
}

function jobIdsOf(body: unknown): string[] {
  const { job_id, id, jobs } = body as { job_id?: string; id?: string; jobs?: { job_id: string }[] };
  if (jobs) return jobs.map((job) => job.job_id);
  const single = job_id ?? id;
  return single === undefined ? [] : [single];
}

function statusesIn(body: unknown): Record<string, string> {
  const items = (Array.isArray(body) ? body : [body]) as ({ id?: string; status?: string } | null)[];
  return Object.fromEntries(
    items.flatMap((item) => (item?.id && item.status ? [[item.id, item.status]] : [])),
  );
}

function probesOf(jobId: string): [path: string, init: RequestInit][] {
  return [
    [`/v1/analyses/${jobId}`, {}],
    [`/v1/analyses/${jobId}/result`, {}],
    [`/v1/analyses/${jobId}/events`, {}],
    [`/v1/analyses/${jobId}/exports/jams`, {}],
    [`/v1/analyses/${jobId}/artifacts/report.html`, {}],
    [`/v1/analysis/${jobId}`, {}],
    [`/v1/analysis/${jobId}/full`, {}],
    [`/v1/analysis/${jobId}/webhooks`, {}],
    [`/v1/analyses/${jobId}/cancel`, { method: 'POST' }],
    [`/v1/analyses/${jobId}/webhook-deliveries`, { method: 'POST' }],
    [`/v1/analyses/${jobId}`, { method: 'DELETE' }],
  ];
}
