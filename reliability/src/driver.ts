import { setTimeout as delay } from 'node:timers/promises';
import type { Entry } from './history.ts';
import { type Answer, callService } from './http-call.ts';
import { type Places, type Submission, submissionOf } from './submissions.ts';
import type { Tenant } from './tenant.ts';
import type { World } from './world.ts';

const CALL_MS_MAX = 15_000;
/** A submission is repeated with its key for this long; then it stays unknown. */
const INSIST_MS_MAX = 240_000;

/** Customers who insist while nobody answers are counted here, or they would all be heard at once. */
const RUNNING_MAX = 24;

export type OperationKind =
  | 'upload'
  | 'url'
  | 'batch'
  | 'object'
  | 'session'
  /** An address that has no audio: ends in `failed`. */
  | 'broken'
  /** Audio long enough to be interrupted. */
  | 'long'
  /** Long enough to be found at work. */
  | 'medium'
  /** Audio that is small and long on its way. */
  | 'slow'
  | 'cancel'
  | 'delete'
  | 'read'
  | 'list'
  | 'probe';

export const MIXTURE: Record<OperationKind, number> = {
  upload: 5,
  url: 5,
  batch: 0.6,
  object: 2,
  session: 1.5,
  broken: 1,
  long: 0,
  medium: 0,
  slow: 0,
  cancel: 1.5,
  delete: 1,
  read: 6,
  list: 2,
  probe: 4,
};

type OpenLoop = {
  perSecond: number;
  mixture?: Partial<Record<OperationKind, number>>;
  stop: () => boolean;
  /** Submissions wait while this many jobs are unfinished: a queue that only grows shows nothing. */
  unfinishedMax?: () => Promise<boolean>;
};

export type Driver = {
  /** Runs one operation to its last word and writes everything down. */
  perform(kind: OperationKind, tenant?: Tenant, places?: Places): Promise<Entry['phase']>;
  /** Starts operations on schedule, whether or not the earlier ones are answered, until `stop` says so. */
  performOpenLoop(options: OpenLoop): Promise<void>;
  /** No operation starts any more; resolves when those under way have written their last word. */
  end(): Promise<void>;
  jobsOf(tenant: Tenant): string[];
  counts: { operations: number; acceptedJobs: number };
};

/** Plays the customers of a world. Every choice comes from its own stream of the seed. */
export function createDriver(world: World): Driver {
  const { history, tenants } = world;
  const random = world.random.fork('driver');
  const jobs = new Map<string, string[]>(tenants.map(({ name }) => [name, []]));
  const counts = { operations: 0, acceptedJobs: 0 };
  const underWay = new Set<Promise<unknown>>();
  let ended = false;

  async function send(tenant: Tenant, path: string, init: RequestInit, auth: 'key' | 'session' = 'key') {
    const base = await world.fleet.anyUrl(random.integer(0, 7)).catch(() => null);
    if (base === null) return { kind: 'unknown', reason: 'no process takes requests' } as const;
    const credentials: Record<string, string> =
      auth === 'key' ? { 'x-api-key': tenant.apiKey } : { authorization: `Bearer ${tenant.sessionToken}` };
    const headers = { ...credentials, ...(init.headers as Record<string, string> | undefined) };
    // A signed address may lead to the store itself, where our credentials have no business.
    if (URL.canParse(path)) return callService(path, init, CALL_MS_MAX);
    return callService(`${base}${path}`, { ...init, headers }, CALL_MS_MAX);
  }

  /** Whose marker an answer shows although it is not theirs. */
  function foreignIn(tenant: Tenant, answer: Answer): string | undefined {
    if (answer.kind !== 'answer') return undefined;
    return tenants.find((other) => other !== tenant && answer.text.includes(other.marker))?.name;
  }

  async function submit(kind: OperationKind, tenant: Tenant, places?: Places): Promise<Entry['phase']> {
    const op = history.newOperation();
    const submission = submissionOf(kind, op, tenant, world, random, places);
    const { key, jobsAsked } = submission;
    const facts = { op, kind, tenant: tenant.name, ...(key === null ? {} : { key }), jobsAsked };
    history.record({ ...facts, phase: 'invoke' });
    const answer = await insist(tenant, submission);
    const foreign = foreignIn(tenant, answer);
    const told = { ...facts, ...(foreign === undefined ? {} : { foreign }) };
    if (answer.kind === 'unknown') {
      history.record({ ...told, phase: 'unknown', reason: answer.reason });
      return 'unknown';
    }
    const { status, code } = answer;
    if (status !== 202) {
      const phase = isUndecided(answer) ? 'unknown' : 'failed';
      history.record({ ...told, phase, status, ...(code === null ? {} : { code }) });
      return phase;
    }
    const jobIds = jobIdsOf(answer.body);
    // A client that did not hear the answer asks again; whatever it hears, there is one job.
    if (key !== null && random.chance(0.2))
      await submission.send((path, init) => send(tenant, path, init, submission.auth));
    history.record({ ...told, phase: 'ok', status, jobIds });
    jobs.get(tenant.name)?.push(...jobIds);
    counts.acceptedJobs += jobIds.length;
    return 'ok';
  }

  /** With a key, until there is a real answer; without one, once. */
  async function insist(tenant: Tenant, submission: Submission): Promise<Answer> {
    const deadlineMs = performance.now() + INSIST_MS_MAX;
    for (;;) {
      const answer = await submission.send((path, init) => send(tenant, path, init, submission.auth));
      const decided = answer.kind === 'answer' && !isUndecided(answer);
      if (decided || submission.key === null || ended || performance.now() > deadlineMs) return answer;
      await delay(random.integer(100, 600));
    }
  }

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

  /** Asks for another tenant's job in every way there is; the only right answer is 404. */
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
      ...(foreign === undefined ? {} : { foreign }),
    });
    return phase;
  }

  async function operate(kind: OperationKind, tenant: Tenant, places?: Places): Promise<Entry['phase']> {
    if (kind === 'cancel' || kind === 'delete' || kind === 'read') return act(kind, tenant);
    if (kind === 'list') return list(tenant);
    if (kind === 'probe') return probe(tenant);
    return submit(kind, tenant, places);
  }

  /** Whatever becomes of whoever asked for it, an operation is under way until its last word is written. */
  async function perform(
    kind: OperationKind,
    tenant = random.pick(tenants),
    places?: Places,
  ): Promise<Entry['phase']> {
    if (ended) throw new Error('The driver has ended');
    counts.operations += 1;
    const operation = operate(kind, tenant, places);
    underWay.add(operation);
    try {
      return await operation;
    } finally {
      underWay.delete(operation);
    }
  }

  async function runOpenLoop({ perSecond, mixture = MIXTURE, stop, unfinishedMax }: OpenLoop): Promise<void> {
    const running = new Set<Promise<unknown>>();
    const failures: unknown[] = [];
    const isOver = () => ended || stop();
    for (let dueMs = performance.now(); !isOver(); dueMs += (1000 / perSecond) * 2 * random.next()) {
      await delay(Math.max(0, dueMs - performance.now()));
      const kind = random.weighted(mixture as Record<OperationKind, number>);
      const waiting = isSubmission(kind) && unfinishedMax && (await unfinishedMax());
      if (waiting || isOver() || running.size >= RUNNING_MAX) continue;
      const operation = perform(kind)
        .catch((error: unknown) => failures.push(error))
        .finally(() => running.delete(operation));
      running.add(operation);
    }
    await Promise.all(running);
    if (failures.length > 0) throw failures[0];
  }

  return {
    perform,
    async end() {
      ended = true;
      await Promise.allSettled(underWay);
    },
    jobsOf: (tenant) => jobs.get(tenant.name) ?? [],
    counts,
    performOpenLoop(options) {
      const loop = runOpenLoop(options);
      underWay.add(loop);
      const done = () => underWay.delete(loop);
      loop.then(done, done);
      return loop;
    },
  };
}

export function isSubmission(kind: string): boolean {
  return !['cancel', 'delete', 'read', 'list', 'probe', 'join', 'handover', 'payment'].includes(kind);
}

/** Neither yes nor no: the service was in trouble, or busy with the same key. */
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
