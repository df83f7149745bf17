import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { SERVER_ROOT } from '../../platform/server-root.ts';
import { audioForm, createTestClient } from '../client.ts';
import { createTestDatabase } from '../database.ts';
import { startLocalServer, startReceiver } from '../local-server.ts';
import { startServiceProcess, startWorkerProcess, type WorkerProcess } from '../service-process.ts';
import { until } from '../until.ts';
import { makeWav } from '../wav.ts';

/** What an operator sees of one analysis in traces, logs and metrics, with an API and a worker as two processes. */

type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
};
type OtlpBody = { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };

const spans: OtlpSpan[] = [];
const collector = await startLocalServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as OtlpBody;
  spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
  response.end('{}');
});

const TOKEN = 'the-metrics-token-of-this-test';
const { url: databaseUrl } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'earshot-observed-'));
const env = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
  STOP_GRACE_SECONDS: '0',
  METRICS_PORT: '0',
  METRICS_TOKEN: TOKEN,
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  // Milliseconds, instead of five seconds.
  OTEL_BSP_SCHEDULE_DELAY: '100',
  LOG_LEVEL: 'info',
};
const api = await startServiceProcess('serve', env);
const worker = await startWorkerProcess(env);
afterAll(async () => {
  for (const process of [api, worker]) process.kill('SIGTERM');
  await Promise.all([api.ended, worker.ended]);
  await rm(dataDir, { recursive: true, force: true });
});

const metricsUrl = ({ banner }: WorkerProcess) => /Prometheus: (\S+)/.exec(banner.join('\n'))![1]!;
async function scrape(process: WorkerProcess): Promise<string> {
  const response = await fetch(metricsUrl(process), { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(response.status).toBe(200);
  return response.text();
}

/** The value of a series, given by name and labels as they are in the line. */
function readValue(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? Number.NaN);
}

const receiver = await startReceiver();
const client = createTestClient(api.url);
const registered = await client.post<{ api_key: string; user_id: string; workspace_id: string }>(
  '/v1/auth/register',
  { email: 'observed@example.com' },
);
const customer = createTestClient(api.url, { 'x-api-key': registered.body.api_key });
const accepted = await customer.send<{ job_id: string }>('/v1/analyze/upload', {
  method: 'POST',
  headers: {
    'x-request-id': 'request-of-the-test',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  },
  body: audioForm(makeWav({ seconds: 2 }), { fields: { webhook_url: `${receiver.url}/hook` } }),
});
await until(() => receiver.calls.length === 1, 'the webhook arrives');

describe('the trace of one analysis', () => {
  it('connects the request, the job with its stages, and the webhook call', async () => {
    const all = ['POST /v1/analyze/upload', 'job analysis.run', 'job webhook.deliver', 'webhook call'];
    const named = (name: string) => spans.filter((span) => span.name === name);
    await until(() => all.every((name) => named(name).length > 0), 'all spans are collected');
    const [request, job, delivery, call] = all.map((name) => named(name)[0]!) as [
      OtlpSpan,
      OtlpSpan,
      OtlpSpan,
      OtlpSpan,
    ];
    expect(request.parentSpanId).toBeUndefined();
    expect(job).toMatchObject({ traceId: request.traceId, parentSpanId: request.spanId });
    expect(delivery).toMatchObject({ traceId: request.traceId, parentSpanId: job.spanId });
    expect(call).toMatchObject({ traceId: request.traceId, parentSpanId: delivery.spanId });
    const stages = spans.filter(
      ({ name, parentSpanId }) => /^analysis /.test(name) && parentSpanId === job.spanId,
    );
    expect(stages.map(({ name }) => name)).toEqual([
      'analysis decoding',
      'analysis analysing',
      'analysis saving',
    ]);
    const attributes = Object.fromEntries(request.attributes.map(({ key, value }) => [key, value]));
    expect(attributes).toMatchObject({
      'earshot.request_id': { stringValue: 'request-of-the-test' },
      'http.response.status_code': { intValue: '202' },
    });
  });

  it('takes no trace id from the caller, and sends none to the webhook receiver', () => {
    expect(spans.map(({ traceId }) => traceId)).not.toContain('a'.repeat(32));
    const names = receiver.calls[0]!.rawHeaders.filter((_, index) => index % 2 === 0);
    expect(names.map((name) => name.toLowerCase())).not.toContain('traceparent');
  });
});

describe('the log', () => {
  type Line = Record<string, unknown>;
  async function findLine(process: WorkerProcess, wanted: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const text = await process.nextLine();
      const line: Line = text.startsWith('{') ? JSON.parse(text) : {};
      if (wanted(line)) return line;
    }
  }

  it('has the same trace id in the line of the request and in that of the job, written by two processes', async () => {
    const answered = await findLine(api, ({ route }) => route === '/v1/analyze/upload');
    expect(answered).toMatchObject({ requestId: 'request-of-the-test', status: 202, msg: 'Answered' });
    const ended = await findLine(
      worker,
      ({ jobKind, msg }) => jobKind === 'analysis.run' && msg === 'An attempt ended',
    );
    expect(ended).toMatchObject({ analysisId: accepted.body.job_id, attempt: 1, outcome: 'done' });
    const request = spans.find(({ name }) => name === 'POST /v1/analyze/upload');
    expect([answered.traceId, ended.traceId]).toEqual([request?.traceId, request?.traceId]);
  });
});

describe('/metrics', () => {
  it('counts what the API and the worker did, and a file that the decoder refuses under its code', async () => {
    const ofApi = await scrape(api);
    const upload = '{method="POST",route="/v1/analyze/upload",status="202"}';
    expect(readValue(ofApi, `earshot_http_request_duration_seconds_count${upload}`)).toBe(1);
    expect(readValue(ofApi, 'earshot_database_up')).toBe(1);
    expect(readValue(ofApi, 'earshot_database_pool_connections{state="max"}')).toBe(10);
    expect(readValue(ofApi, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    // An attempt is counted when it ends, shortly after the webhook call.
    for (const kind of ['analysis.run', 'webhook.deliver']) {
      const done = `earshot_job_attempt_duration_seconds_count{kind="${kind}",outcome="done"}`;
      await until(async () => readValue(await scrape(worker), done) === 1, `${kind} is counted`);
    }
    const ofWorker = await scrape(worker);
    const delivered = 'earshot_webhook_attempt_duration_seconds_count{outcome="delivered"}';
    expect(readValue(ofWorker, delivered)).toBe(1);
    expect(readValue(ofWorker, 'earshot_analysis_stage_duration_seconds_count{stage="decoding"}')).toBe(1);
    expect(readValue(ofWorker, 'earshot_analyses_ended_total{status="completed",code="none"}')).toBe(1);
    expect(readValue(ofWorker, 'earshot_queue_age_seconds{kind="analysis.run"}')).toBe(0);

    const wav = makeWav({ seconds: 1 });
    // An unknown codec: the upload is accepted because the container is well formed.
    wav.writeUInt16LE(0x7777, 20);
    const { status } = await customer.send('/v1/analyze/upload', { method: 'POST', body: audioForm(wav) });
    expect(status).toBe(202);
    const series = 'earshot_decode_failures_total{code="unsupported_format"}';
    await until(async () => readValue(await scrape(worker), series) === 1, 'it is counted');
  });

  it('requires the token, and its port serves nothing else but /health', async () => {
    const url = metricsUrl(worker);
    const statuses = await Promise.all(
      [
        fetch(url),
        fetch(url, { headers: { authorization: 'Bearer wrong' } }),
        fetch(url.replace('/metrics', '/health')),
        fetch(url.replace('/metrics', '/v1/usage')),
        fetch(`${api.url}/metrics`),
      ].map(async (response) => (await response).status),
    );
    expect(statuses).toEqual([401, 401, 200, 404, 404]);
  });

  it('contains no secrets and no ids of customers', async () => {
    const text = (await scrape(api)) + (await scrape(worker));
    for (const marker of [
      registered.body.api_key,
      registered.body.user_id,
      registered.body.workspace_id,
      accepted.body.job_id,
      'observed@example.com',
      receiver.url,
    ])
      expect(text).not.toContain(marker);
  });

  it.each(['deploy/grafana/earshot.json', 'deploy/prometheus/alerts.yaml'])(
    'has every metric that %s uses',
    async (path) => {
      const text = await readFile(join(SERVER_ROOT, '..', path), 'utf8');
      expect(parseYaml(text)).toBeTypeOf('object');
      const named = new Set(text.match(/\b(earshot|nodejs|process)_[a-z0-9_]+/g));
      const exposed = new Set(
        [...(await scrape(api)).matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name, type]) =>
          type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name],
        ),
      );
      // Without names the check could not fail.
      expect(named.size).toBeGreaterThan(5);
      expect([...named].filter((name) => !exposed.has(name))).toEqual([]);
    },
  );
});
