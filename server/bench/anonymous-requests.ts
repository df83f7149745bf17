/**
 * Measures the processor time of the most expensive requests without credentials, with the real routes and a real database:
 * `npm run build && node server/dist/bench-anonymous.js`. Exits with 1 when a request costs more than BUDGET_MS.
 *
 * The time is that of this process with its threads (scrypt runs on one), without PostgreSQL. Demo uploads are left out: their cost grows
 * with their size, and an address may send only five an hour. Requests are injected, which also decodes the response as text: part of
 * the cost of the two large documents belongs to the bench.
 */
import { allOperations, bodyBytesMaxOf, type Operation } from '@earshot/contract';
import type { InjectOptions } from 'fastify';
import { buildApp } from '../src/app/app.ts';
import { readConfig } from '../src/config.ts';
import { buildDependencies } from '../src/dependencies.ts';
import { createRoutes } from '../src/routes.ts';
import { openBenchDatabase } from './bench-database.ts';

/** One core can then serve two hundred anonymous requests a second. */
const BUDGET_MS = 5;
/** The whole bench then takes a few minutes. */
const BATCH_COUNT = 5;
const BATCH_REQUESTS = 20;
const WARM_UP_REQUESTS = 30;
/** Room for the JSON around the filler of a body. */
const FRAME_BYTES = 60;
/** More than one, so that a cached lookup of a single token does not count. */
const UNKNOWN_TOKEN_COUNT = 40;
const SHOWN_MAX = 12;

const { log, dataDir, db, close } = await openBenchDatabase({ level: 'silent' });
const config = readConfig(
  { DATA_DIR: dataDir, REQUESTS_PER_MINUTE: '100000000', REGISTRATIONS_PER_HOUR: '1000000' },
  () => 'a secret key for the bench alone, long enough',
);
const deps = await buildDependencies(config, db, log, new AbortController().signal);
const app = buildApp(deps, createRoutes({ isStopping: () => false }));
await app.ready();

/** The most expensive bodies that fit within the limit: unknown keys, deep nesting, one long text, broken JSON. */
function bodiesOf(operation: Operation): Record<string, string> {
  const bytesMax = bodyBytesMaxOf(operation);
  const fillingBytes = bytesMax - FRAME_BYTES;
  const repeat = (piece: string) => piece.repeat(Math.floor(fillingBytes / piece.length));
  const fill = (make: (index: number) => string) => {
    let text = '';
    for (let index = 0; ; index += 1) {
      const longer = `${text}${text === '' ? '' : ','}${make(index)}`;
      if (longer.length > fillingBytes) return text;
      text = longer;
    }
  };
  const listDepth = Math.floor(fillingBytes / '[]'.length);
  const objectDepth = Math.floor(fillingBytes / '{"a":}'.length);
  const unknownKeys = fill((index) => `"${index.toString(36)}":0`);
  return {
    'unknown keys': `{${unknownKeys}}`,
    'nested objects': `${'{"a":'.repeat(objectDepth)}0${'}'.repeat(objectDepth)}`,
    'nested lists': `${'['.repeat(listDepth)}${']'.repeat(listDepth)}`,
    'long text': JSON.stringify({ email: `${repeat('a')}@example.com` }),
    'escaped text': `{"email":"${repeat('\\u0061')}"}`,
    'broken at the end': `{${unknownKeys}`,
    'over the limit': 'x'.repeat(bytesMax + 1),
  };
}

let sequence = 0;
const nextNumber = (): number => {
  sequence += 1;
  return sequence;
};
/** By id of the operation. */
const validBodies: Record<string, () => unknown> = {
  startSignIn: () => ({ email: `person-${nextNumber()}@example.com` }),
  registerAccount: () => ({ email: `key-${nextNumber()}@example.com` }),
  verifySignIn: () => ({ challenge_id: 'chl_00000000000000000000000000', code: '000000' }),
  verifyEmail: () => ({ token: 'x'.repeat(43) }),
};

type MeasuredRequest = { route: string; request: string; cpuMs: number };

async function measure(make: () => InjectOptions): Promise<number> {
  const send = () =>
    app.inject({ ...make(), remoteAddress: `10.${nextNumber() & 255}.${(sequence >> 8) & 255}.1` });
  for (let index = 0; index < WARM_UP_REQUESTS; index += 1) await send();
  const batchesMs: number[] = [];
  for (let batch = 0; batch < BATCH_COUNT; batch += 1) {
    const before = process.cpuUsage();
    for (let index = 0; index < BATCH_REQUESTS; index += 1) await send();
    // In microseconds.
    const { user, system } = process.cpuUsage(before);
    batchesMs.push((user + system) / 1000 / BATCH_REQUESTS);
  }
  // Other work on the machine can only add to the time.
  return Math.min(...batchesMs);
}

const measured: MeasuredRequest[] = [];
const open = allOperations.filter(
  ({ policy, rawBody }) => policy.access !== 'workspace' && rawBody?.as !== 'stream',
);
for (const operation of open) {
  const { method } = operation;
  const url = operation.path.replaceAll(/\{\w+\}/g, 'x');
  const route = `${method} ${operation.path}`;
  const note = async (request: string, make: () => InjectOptions) => {
    measured.push({ route, request, cpuMs: await measure(make) });
  };
  const headers = {
    'content-type': operation.rawBody?.contentType ?? 'application/json',
    // Forged, with a current timestamp: the service must compute the signature before it can refuse this one.
    'payment-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
  };
  if (!operation.body && !operation.rawBody) {
    await note('plain', () => ({ method, url }));
    await note('compressed', () => ({ method, url, headers: { 'accept-encoding': 'gzip' } }));
    continue;
  }
  const make = validBodies[operation.id];
  if (make) await note('valid body', () => ({ method, url, headers, payload: JSON.stringify(make()) }));
  for (const [name, payload] of Object.entries(bodiesOf(operation)))
    await note(name, () => ({ method, url, headers, payload }));
}
const unknownTokenMs = await measure(() => ({
  method: 'GET',
  url: '/v1/usage',
  headers: { authorization: `Bearer es_sess_${String(sequence % UNKNOWN_TOKEN_COUNT).padStart(43, 'x')}` },
}));
measured.push({ route: 'GET /v1/usage', request: 'unknown token', cpuMs: unknownTokenMs });

measured.sort((left, right) => right.cpuMs - left.cpuMs);
console.log(
  `Processor time of a request without credentials, best of ${BATCH_COUNT} batches of ${BATCH_REQUESTS}; the most expensive ${SHOWN_MAX} of ${measured.length}:`,
);
for (const { route, request, cpuMs } of measured.slice(0, SHOWN_MAX))
  console.log(`${cpuMs.toFixed(2).padStart(7)} ms  ${route}  (${request})`);
const isWithinBudget = measured[0]!.cpuMs <= BUDGET_MS;
console.log(isWithinBudget ? `All within ${BUDGET_MS} ms.` : `Over the budget of ${BUDGET_MS} ms.`);

await app.close();
await deps.mailer.close();
await close();
process.exitCode = isWithinBudget ? 0 : 1;
