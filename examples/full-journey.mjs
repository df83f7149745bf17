/**
 * Every step against a running service: register, upload, poll, full result, verified webhook, usage.
 *
 *   ALLOW_PRIVATE_TARGETS=127.0.0.1/32 npm start         (in one terminal)
 *   node examples/full-journey.mjs http://localhost:8080 (in another)
 *
 * The webhook receiver listens on 127.0.0.1, which the service otherwise refuses as the address of a webhook.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const baseUrl = (process.argv[2] ?? 'http://localhost:8080').replace(/\/$/, '');
const song = new URL('./sample-song/two-doors-down.mp3', import.meta.url);
const truth = JSON.parse(readFileSync(new URL('./sample-song/truth.json', import.meta.url), 'utf8'));

const receiver = await startReceiver();
try {
  const account = await register();
  console.log(`registered ${account.email}, key ${account.prefix}…`);

  const jobId = await upload(account.api_key, receiver.url);
  console.log(`uploaded, job ${jobId}`);

  const summary = await poll(account.api_key, jobId);
  console.log(
    `${summary.bpm.toFixed(2)} BPM, ${summary.key_notation}, ${summary.loudness_lufs.toFixed(1)} LUFS`,
  );
  assert.ok(Math.abs(summary.bpm - truth.tempo_bpm) < 0.5, `tempo ${summary.bpm}, truth ${truth.tempo_bpm}`);
  assert.equal(`${summary.key}:${summary.scale === 'minor' ? 'min' : 'maj'}`, truth.key);
  assert.ok(Math.abs(summary.loudness_lufs - truth.loudness_lufs) < 0.5, `loudness ${summary.loudness_lufs}`);

  const full = await get(account.api_key, `/v1/analysis/${jobId}/full`);
  console.log(
    `${full.sections.length} sections, ${full.result.rhythm.beats.length} beats, ${full.result.tonal.chords.length} chords`,
  );
  assert.ok(full.result.rhythm.beats.length > 100);

  const event = await receiver.nextEvent(account.webhook_signing_secret);
  console.log(`webhook ${event.type} verified`);
  assert.equal(event.type, 'analysis.completed');
  assert.equal(event.data.job_id, jobId);

  const usage = await get(account.api_key, '/v1/usage');
  console.log(`usage ${usage.count} of ${usage.limit} this month`);
  assert.equal(usage.count, 1);
} finally {
  receiver.close();
}

async function register() {
  const response = await fetch(`${baseUrl}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `journey-${Date.now()}@example.com` }),
  });
  const body = await response.json();
  assert.equal(response.status, 201, JSON.stringify(body));
  return body;
}

async function upload(apiKey, webhookUrl) {
  const form = new FormData();
  form.set('webhook_url', webhookUrl);
  form.set('file', new Blob([readFileSync(song)], { type: 'audio/mpeg' }), 'two-doors-down.mp3');
  const response = await fetch(`${baseUrl}/v1/analyze/upload`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Idempotency-Key': `journey-${Date.now()}` },
    body: form,
  });
  const body = await response.json();
  assert.equal(response.status, 202, JSON.stringify(body));
  assert.equal(body.status, 'processing');
  return body.job_id;
}

async function poll(apiKey, jobId) {
  for (;;) {
    const response = await fetch(`${baseUrl}/v1/analysis/${jobId}`, { headers: { 'X-API-Key': apiKey } });
    const body = await response.json();
    if (response.status === 200) {
      assert.equal(body.status, 'completed', JSON.stringify(body.error));
      return body.result;
    }
    assert.equal(response.status, 202, JSON.stringify(body));
    await new Promise((resolve) =>
      setTimeout(resolve, Number(response.headers.get('retry-after') ?? 1) * 1000),
    );
  }
}

async function get(apiKey, path) {
  const response = await fetch(`${baseUrl}${path}`, { headers: { 'X-API-Key': apiKey } });
  const body = await response.json();
  assert.equal(response.status, 200, JSON.stringify(body));
  return body;
}

/** A receiver that keeps the raw bytes, which the signature covers. */
async function startReceiver() {
  const arrived = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    arrived.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/hook`,
    async nextEvent(secret) {
      const deadlineMs = Date.now() + 30_000;
      while (arrived.length === 0) {
        assert.ok(Date.now() < deadlineMs, 'No webhook came within 30 s.');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const { headers, body } = arrived[0];
      return new Webhook(secret).verify(body, headers);
    },
    close: () => server.close(),
  };
}
