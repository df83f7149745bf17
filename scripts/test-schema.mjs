/**
 * Fuzzes a running service with requests that schemathesis generates from the OpenAPI document, with all of its checks: the workspace
 * surface with a session and the key-based surface with an API key, once per seed. Fails on anything not listed in schema-exceptions.mjs.
 * Without arguments it also writes docs/interface-fuzzing.md.
 *
 *     npm run test:schema            # the three seeds of the page
 *     npm run test:schema -- 17      # another seed; the page is not changed
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll } from './build.mjs';
import { openPython } from './python-environment.mjs';
import { EXCEPTIONS, exceptionFor } from './schema-exceptions.mjs';
import { startService } from './start-service.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Of Python 3: what the pinned schemathesis needs. */
const PYTHON_MINOR_VERSION_MIN = 11;
const PAGE_SEEDS = [1, 2, 3];
/** Fewer requests in a run mean that schemathesis has stopped early. */
const CASES_MIN = 5_000;
/** In the fuzzing and stateful phases; with the coverage phase this gives well over CASES_MIN requests. */
const EXAMPLES_PER_OPERATION = 12;

/** Of a request and of a response in the output. */
const SHOWN_CHARACTERS_MAX = 400;

/** These end the session they are called with, so they run last, each with its own session. */
const LAST_CALLS = ['signOut', 'deleteWorkspace'];

const SURFACES = [
  { name: 'workspace', header: ({ token }) => `Authorization: Bearer ${token}` },
  { name: 'key-based', header: ({ key }) => `X-API-Key: ${key}` },
];

const asked = process.argv.slice(2).map(Number);
const seeds = asked.length > 0 ? asked : PAGE_SEEDS;
const python = openPython(join(root, 'contract'), PYTHON_MINOR_VERSION_MIN);
if (python.missing) throw new Error(`No schemathesis: ${python.missing}`);
for (const failure of await buildAll()) console.error(failure.message);

const runs = [];
for (const seed of seeds) for (const surface of SURFACES) runs.push(await fuzz(surface, seed));
if (asked.length === 0) writeFileSync(join(root, 'docs', 'interface-fuzzing.md'), page(runs));
process.exitCode = runs.every(({ unlisted, cases }) => unlisted.length === 0 && cases >= CASES_MIN) ? 0 : 1;

async function fuzz(surface, seed) {
  const service = await startService({
    REQUESTS_PER_MINUTE: '100000000',
    FAILED_CREDENTIALS_PER_MINUTE: '100000000',
    REGISTRATIONS_PER_HOUR: '1000000',
    // A closed port, so that generated host names are refused at once instead of being looked up.
    DNS_SERVERS: '127.0.0.1:1',
  });
  const folder = mkdtempSync(join(tmpdir(), 'earshot-fuzz-'));
  const run = async (...filters) => {
    // One for each run, so that a run that ended before its report does not count the one before it again.
    const report = join(folder, `${randomUUID()}.ndjson`);
    const header = surface.header(await openAccount(service.url));
    const location = `${service.url}/openapi.json`;
    await python.run('schemathesis.cli', [...argumentsOf({ location, header, seed, report }), ...filters]);
    const found = readReport(readFileSync(report, 'utf8'));
    if (found.cases === 0) throw new Error(`schemathesis sent nothing: ${filters.join(' ')}`);
    return found;
  };
  try {
    const found = [await run(...LAST_CALLS.flatMap((id) => ['--exclude-operation-id', id]))];
    for (const id of LAST_CALLS) found.push(await run('--include-operation-id', id));
    return conclude(surface.name, seed, found);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function argumentsOf({ location, header, seed, report }) {
  const settings = {
    header,
    checks: 'all',
    seed,
    'max-examples': EXAMPLES_PER_OPERATION,
    // Seconds: longer than any answer takes, on a machine that is busy with the fuzzing.
    'request-timeout': 30,
    // A generated credential next to the valid one would be refused before anything else is checked.
    'generation-with-security-parameters': false,
    'generation-database': 'none',
    report: 'ndjson',
    'report-ndjson-path': report,
    'suppress-health-check': 'all',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return ['run', location, '--continue-on-failure', '--no-shrink', '--no-color', ...options];
}

/** An account with a key, a session, a finished analysis and a webhook endpoint, so that generated requests find something. */
async function openAccount(url) {
  const call = async (path, body, headers = {}) => {
    const form = body instanceof FormData;
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(form ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const email = `fuzz-${randomUUID()}@example.com`;
  const { api_key: key } = await call('/v1/auth/register', { email });
  const { challenge_id, dev_code: code } = await call('/v1/auth/email/start', { email });
  const { access_token: token } = await call('/v1/auth/email/verify', { challenge_id, code });
  const credentials = { 'x-api-key': key };
  const form = new FormData();
  form.append('file', new Blob([readFileSync(join(root, 'decode/fixtures/vorbis.ogg'))]), 'tone.ogg');
  const { job_id } = await call('/v1/analyze/upload', form, credentials);
  await call(`/v1/webhook-endpoints`, { url: `${url}/nowhere` }, credentials);
  await call(`/v1/analyses/${job_id}`, undefined, { ...credentials, prefer: 'wait=30' });
  return { key, token };
}

function readReport(text) {
  const scenarios = text
    .split('\n')
    .filter((line) => line.startsWith('{"ScenarioFinished"'))
    .map((line) => JSON.parse(line).ScenarioFinished.recorder);
  const failures = scenarios.flatMap((scenario) =>
    Object.entries(scenario.checks ?? {}).flatMap(([id, checks]) =>
      checks
        .filter(({ status }) => status === 'failure')
        .map((check) => describe(scenario.label, scenario.interactions?.[id], check)),
    ),
  );
  const cases = scenarios.reduce((sum, { interactions }) => sum + Object.keys(interactions ?? {}).length, 0);
  return { cases, failures };
}

function describe(operation, interaction, { name, failure_info }) {
  const { request, response } = interaction ?? {};
  const { operation: reported, message } = failure_info?.failure ?? {};
  const text = (content) => Buffer.from(content?.$base64 ?? '', 'base64').toString();
  return {
    check: name,
    operation: reported ?? operation,
    message: message ?? '',
    request: `${request?.method} ${request?.uri} ${text(request?.body).slice(0, SHOWN_CHARACTERS_MAX)}`,
    status: response?.status_code,
    answer: text(response?.content),
  };
}

function conclude(surface, seed, found) {
  const cases = found.reduce((sum, part) => sum + part.cases, 0);
  const failures = found.flatMap((part) => part.failures);
  const unlisted = failures.filter((failure) => exceptionFor(failure) === null);
  const listed = EXCEPTIONS.map(
    (exception) => failures.filter((failure) => exceptionFor(failure) === exception).length,
  );
  for (const failure of unlisted)
    console.log(
      JSON.stringify({ ...failure, answer: failure.answer.slice(0, SHOWN_CHARACTERS_MAX) }, null, 2),
    );
  const few = cases < CASES_MIN ? ', too few' : '';
  console.log(`${surface}, seed ${seed}: ${cases} requests${few}, ${unlisted.length} unexpected failures`);
  return { surface, seed, cases, unlisted, listed };
}

function page(all) {
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const rows = all.map(
    ({ surface, seed, cases, unlisted, listed }) =>
      `| ${surface} | ${seed} | ${cases.toLocaleString('en')} | ${sum(listed)} | ${unlisted.length} |`,
  );
  const reasons = EXCEPTIONS.map(
    ({ check, reason }, index) =>
      `| \`${check}\` | ${reason} | ${sum(all.map(({ listed }) => listed[index]))} |`,
  );
  return `# The interface, fuzzed

<!-- Written by \`npm run test:schema\`. -->

Requests that schemathesis generates from the OpenAPI document, valid and invalid, with every check enabled, against a running service:
the workspace surface with a session, the key-based surface with an API key.

| Surface | Seed | Requests | Intended | Unexpected |
|---|---|---|---|---|
${rows.join('\n')}

Reported failures that are intended behaviour (\`scripts/schema-exceptions.mjs\`):

| Check | Reason | Times |
|---|---|---|
${reasons.join('\n')}
`;
}
