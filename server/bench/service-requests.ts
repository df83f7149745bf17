/** Measures the cost of each kind of request, alternating between this version and an earlier one. */
import type { Note } from './benchmarks-page.ts';
import { cpuMsOf, postgresCpuMs } from './service-process.ts';
import type { Version } from './service-version.ts';

/** Enough that some fall on a quiet moment of the machine. */
export const BATCH_COUNT = 12;
const LIST_ROWS = 50;
/** The discard port of this machine: nothing listens there, and nothing leaves the machine. */
export const UNREACHABLE_SOURCE = 'http://127.0.0.1:9';

type RequestSpec = {
  path: string;
  method?: string;
  body?: () => string;
  headers?: Record<string, string>;
  status?: number;
};

/** After about a thousand requests V8 has optimised the code, as in any service that has been up for a minute. */
const WARM_UP_REQUESTS = 1_000;

/** Processor time of one request, in a batch of them. */
type Cost = { apiMs: number; databaseMs: number };

/** `specs` and `costs` have one entry per version; in `costs` that is a list with one entry per batch. */
type Kind = { name: string; goalMs: number | null; specs: RequestSpec[]; costs: Cost[][] };

/**
 * Fills `costs`. Batches alternate between kinds and versions, so that slow spells of the machine affect all of them; the best batch of
 * each kind counts, since other work can only add to its time.
 */
async function measureKinds(
  versions: readonly Version[],
  kinds: readonly Kind[],
  batchRequests: number,
): Promise<void> {
  for (const { specs } of kinds)
    for (const [index, version] of versions.entries()) await send(version, specs[index]!, WARM_UP_REQUESTS);
  for (let batch = 0; batch < BATCH_COUNT; batch += 1) {
    for (const { specs, costs } of kinds) {
      for (const [index, version] of versions.entries()) {
        const start = await costSoFar(version);
        await send(version, specs[index]!, batchRequests);
        const end = await costSoFar(version);
        costs[index]!.push({
          apiMs: (end.apiMs - start.apiMs) / batchRequests,
          databaseMs: (end.databaseMs - start.databaseMs) / batchRequests,
        });
      }
    }
  }
}

async function costSoFar({ service, db }: Version): Promise<Cost> {
  return { apiMs: await cpuMsOf(service.pid), databaseMs: await postgresCpuMs(db) };
}

async function send({ service, headers }: Version, spec: RequestSpec, requestCount: number): Promise<void> {
  const { path, method = 'GET', body, status = 200 } = spec;
  for (let request = 0; request < requestCount; request += 1) {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { ...headers, ...spec.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: body() } : {}),
    });
    await response.arrayBuffer();
    if (response.status !== status) throw new Error(`${path}: ${response.status}`);
  }
}

export async function measureRequests(
  version: Version,
  earlier: Version | null,
  { requestCount, note }: { requestCount: number; note: Note },
): Promise<void> {
  const versions = earlier === null ? [version] : [version, earlier];
  const tags = new Map<Version, string>();
  for (const one of versions) {
    const { headers } = await fetch(`${one.service.url}${resultOf(one)}`, { headers: one.headers });
    tags.set(one, headers.get('etag')!);
  }
  const kind = (name: string, goalMs: number | null, specOf: (version: Version) => RequestSpec): Kind => ({
    name,
    goalMs,
    specs: versions.map(specOf),
    costs: versions.map(() => []),
  });
  let sequence = 0;
  const kinds = [
    kind('submit by address', 4, () => ({
      path: '/v1/analyses',
      method: 'POST',
      body: () => JSON.stringify({ source_url: `${UNREACHABLE_SOURCE}/${sequence++}.mp3` }),
      status: 202,
    })),
    kind('job read', 1, ({ song }) => ({ path: `/v1/analyses/${song}` })),
    kind(`list of ${LIST_ROWS}`, 2, () => ({ path: `/v1/analyses?limit=${LIST_ROWS}` })),
    kind('whole result, compressed', null, (one) => ({ path: resultOf(one) })),
    kind('result that has not changed (304)', null, (one) => ({
      path: resultOf(one),
      headers: { 'if-none-match': tags.get(one)! },
      status: 304,
    })),
    kind('report as PDF', 100, ({ song }) => ({ path: `/v1/analyses/${song}/artifacts/report.pdf` })),
  ];
  await measureKinds(versions, kinds, requestCount / BATCH_COUNT);
  for (const part of ['apiMs', 'databaseMs'] as const) {
    for (const { name, goalMs, costs } of kinds) {
      const [own, before = null] = costs.map((batches) => Math.min(...batches.map((cost) => cost[part])));
      if (part === 'apiMs') note(`${name}: processor time`, own!, 'ms', goalMs, before);
      else note(`${name}: processor time of PostgreSQL`, own!, 'ms', null, before);
    }
  }
}

function resultOf({ song }: Version): string {
  return `/v1/analyses/${song}/result`;
}
