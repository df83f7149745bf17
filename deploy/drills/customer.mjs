/** A customer who keeps sending songs, and the outcome of their analyses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { countOutcomes, waitForEnds } from '../outcomes.mjs';
import { readJson, register } from '../requests.mjs';
import { until } from '../until.mjs';
import { API_PORTS, RECEIVER_PORT, ROOT, urlOf } from './addresses.mjs';
import { isSigned } from './stand-ins.mjs';

/** Two seconds in all: restarting one API at a time must not leave both unreachable for longer. */
const RETRIES_MAX = 20;
const RETRY_DELAY_MS = 100;
const SONG_INTERVAL_MS = 1_000;

export async function createCustomer(email) {
  const made = await register(urlOf(API_PORTS[0]), email);
  const wav = readFileSync(join(ROOT, 'decode/fixtures/adpcm-ima.wav'));
  let requestCount = 0;
  /** Tries the APIs in turn, as a load balancer would: one that is stopping refuses connections. */
  async function send(path, init) {
    for (let retries = 0; ; retries += 1) {
      requestCount += 1;
      try {
        const headers = { 'x-api-key': made.api_key, ...init.headers };
        const response = await fetch(urlOf(API_PORTS[requestCount % API_PORTS.length], path), {
          ...init,
          headers,
        });
        if (response.status !== 503 || retries >= RETRIES_MAX) return response;
      } catch (error) {
        if (retries >= RETRIES_MAX) throw error;
      }
      await delay(RETRY_DELAY_MS);
    }
  }
  return {
    workspaceId: made.workspace_id,
    secrets: [made.webhook_signing_secret],
    async post(path, body) {
      const headers = { 'content-type': 'application/json' };
      return readJson(await send(path, { method: 'POST', headers, body: JSON.stringify(body) }));
    },
    get: async (path) => readJson(await send(path, { method: 'GET' })),
    async upload() {
      const body = new FormData();
      body.set('webhook_url', urlOf(RECEIVER_PORT, '/hook'));
      body.set('file', new Blob([wav]), 'song.wav');
      return (await readJson(await send('/v1/analyze/upload', { method: 'POST', body }), 202)).job_id;
    },
  };
}

/** One song after another, for as long as the drills last. */
export function startTraffic(customer) {
  const accepted = [];
  const failures = [];
  let isRunning = true;
  const loop = (async () => {
    while (isRunning) {
      await customer.upload().then(
        (id) => accepted.push(id),
        (error) => failures.push(error.message),
      );
      await delay(SONG_INTERVAL_MS);
    }
  })();
  return {
    accepted,
    failures,
    /** Waits until `count` more songs were accepted, and so the change of a drill was in use. */
    async acceptMore(count) {
      const goal = accepted.length + count;
      await until(() => accepted.length >= goal || failures.length > 0, 'more songs are accepted');
    },
    async stop() {
      isRunning = false;
      await loop;
    },
  };
}

/** Waits for the ends of the analyses, and for a webhook of each that verifies with a secret of the customer. */
export async function settle(db, { received }, customer, ids) {
  await waitForEnds(db, ids, { withinMs: 300_000 });
  const listMissing = () => {
    const verified = received.filter((webhook) => isSigned(webhook, customer.secrets));
    return ids.filter((id) => !verified.some(({ jobId }) => jobId === id));
  };
  await until(() => listMissing().length === 0, 'every webhook has arrived', { withinMs: 60_000 }).catch(
    () => {},
  );
  return { total: ids.length, ...(await countOutcomes(db, ids)), withoutWebhook: listMissing().length };
}
