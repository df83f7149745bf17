import { setTimeout as delay } from 'node:timers/promises';
import type { OperationKind } from './driver.ts';
import type { Entry } from './history.ts';
import { type Answer, callService } from './http-call.ts';
import type { Random } from './random.ts';
import { type Places, type Submission, submissionOf } from './submissions.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

/** Chosen: longer than any answer takes of a service that is up. */
const CALL_MS_MAX = 15_000;
/** Chosen: how long a submission with a key is repeated before its outcome is recorded as unknown. */
const INSIST_MS_MAX = 240_000;

export type CustomerState = {
  random: Random;
  /** Ids of the jobs that were accepted, by the tenant's name. */
  jobs: Map<string, string[]>;
  counts: { acceptedJobs: number };
  hasEnded: () => boolean;
};

export type Customers = {
  /** Runs one operation until its outcome is known or given up, and records it. */
  operate(kind: OperationKind, tenant: Tenant, places?: Places): Promise<Entry['phase']>;
};

/** Sends what customers send, and records the answers. */
export function createCustomers(world: World, state: CustomerState): Customers {
  const wire = createWire(world, state.random);
  const submit = createSubmitter(world, state, wire);
  const { act, list, probe } = createReaders(world, state, wire);
  return {
    async operate(kind, tenant, places) {
      if (kind === 'cancel' || kind === 'delete' || kind === 'read') return act(kind, tenant);
      if (kind === 'list') return list(tenant);
      if (kind === 'probe') return probe(tenant);
      return submit(kind, tenant, places);
    },
  };
}

type Wire = {
  send(tenant: Tenant, path: string, init: RequestInit, auth?: 'key' | 'session'): Promise<Answer>;
  /** The name of another tenant whose marker is in the answer; null when there is none. */
  foreignIn(tenant: Tenant, answer: Answer): string | null;
};

function createWire(world: World, random: Random): Wire {
  const { tenants } = world;

  async function send(tenant: Tenant, path: string, init: RequestInit, auth: 'key' | 'session' = 'key') {
    const base = await world.fleet.anyUrl(random.integer(0, 7)).catch(() => null);
    if (base === null) return { kind: 'unknown', reason: 'no process takes requests' } as const;
    const credentials: Record<string, string> =
      auth === 'key' ? { 'x-api-key': tenant.apiKey } : { authorization: `Bearer ${tenant.sessionToken}` };
    const headers = { ...credentials, ...(init.headers as Record<string, string> | undefined) };
    // A signed URL may lead to the store itself, which must not be sent our credentials.
    if (URL.canParse(path)) return callService(path, init, CALL_MS_MAX);
    return callService(`${base}${path}`, { ...init, headers }, CALL_MS_MAX);
  }

  function foreignIn(tenant: Tenant, answer: Answer): string | null {
    if (answer.kind !== 'answer') return null;
    return tenants.find((other) => other !== tenant && answer.text.includes(other.marker))?.name ?? null;
  }

  return { send, foreignIn };
}

function createSubmitter(
  world: World,
  { random, jobs, counts, hasEnded }: CustomerState,
  { send, foreignIn }: Wire,
): Customers['operate'] {
  const { history } = world;

  async function submit(kind: OperationKind, tenant: Tenant, places?: Places): Promise<Entry['phase']> {
    const op = history.newOperation();
    const submission = submissionOf(kind, op, tenant, world, random, places);
    const { key, jobsAsked } = submission;
    const facts = { op, kind, tenant: tenant.name, ...(key === null ? {} : { key }), jobsAsked };
    history.record({ ...facts, phase: 'invoke' });
    const answer = await insist(tenant, submission);
    const foreign = foreignIn(tenant, answer);
    const outcome = { ...facts, ...(foreign === null ? {} : { foreign }) };
    if (answer.kind === 'unknown') {
      history.record({ ...outcome, phase: 'unknown', reason: answer.reason });
      return 'unknown';
    }
    const { status, code } = answer;
    if (status !== 202) {
      const phase = isUndecided(answer) ? 'unknown' : 'failed';
      history.record({ ...outcome, phase, status, ...(code === null ? {} : { code }) });
      return phase;
    }
    const jobIds = jobIdsOf(answer.body);
    // As a client that has lost the answer would: with the same key this must not make another job.
    if (key !== null && op % 2 === 0)
      await submission.send((path, init) => send(tenant, path, init, submission.auth));
    history.record({ ...outcome, phase: 'ok', status, jobIds });
    jobs.get(tenant.name)?.push(...jobIds);
    counts.acceptedJobs += jobIds.length;
    return 'ok';
  }

  /** With a key, repeated until there is a definite answer; without one, sent once. */
  async function insist(tenant: Tenant, submission: Submission): Promise<Answer> {
    const deadlineMs = performance.now() + INSIST_MS_MAX;
    for (;;) {
      const answer = await submission.send((path, init) => send(tenant, path, init, submission.auth));
      const decided = answer.kind === 'answer' && !isUndecided(answer);
      if (decided || submission.key === null || hasEnded() || performance.now() > deadlineMs) return answer;
      await delay(random.integer(100, 600));
    }
  }

  return submit;
}

function createReaders(world: World, { random, jobs }: CustomerState, { send, foreignIn }: Wire) {
  const { history, tenants } = world;

  async function act(kind: 'cancel' | 'delete' | 'read', tenant: Tenant): Promise<Entry['phase']> {
    const own = jobs.get(tenant.name) ?? [];
    if (own.length === 0) return 'failed';
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

  async function list(tenant: Tenant): Promise<Entry['phase']> {
    const facts = { op: history.newOperation(), kind: 'list', tenant: tenant.name };
    history.record({ ...facts, phase: 'invoke' });
    return conclude(facts, tenant, await send(tenant, '/v1/analyses?limit=100', {}));
  }

  /** Asks for another tenant's job in one of all the ways there are; the only right answer is 404. */
  async function probe(tenant: Tenant): Promise<Entry['phase']> {
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

  function conclude(facts: Omit<Entry, 'atMs' | 'phase'>, tenant: Tenant, answer: Answer): Entry['phase'] {
    if (answer.kind === 'unknown') {
      history.record({ ...facts, phase: 'unknown', reason: answer.reason });
      return 'unknown';
    }
    const foreign = foreignIn(tenant, answer);
    const { status, code } = answer;
    const phase = status < 300 ? 'ok' : isUndecided(answer) ? 'unknown' : 'failed';
    history.record({
      ...facts,
      phase,
      status,
      ...(code === null ? {} : { code }),
      ...(status === 200 ? { seen: statusesIn(answer.body) } : {}),
      ...(foreign === null ? {} : { foreign }),
    });
    return phase;
  }

  return { act, list, probe };
}

/** Neither a yes nor a no: the service was in trouble, or busy with the same key. */
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
