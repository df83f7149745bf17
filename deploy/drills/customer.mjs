/** A customer who keeps sending songs, and what became of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { countOutcomes, waitForEnds } from '../outcomes.mjs';
import { readJson, register } from '../requests.mjs';
import { until } from '../until.mjs';
import { API_PORTS, RECEIVER_PORT, ROOT, urlOf } from './addresses.mjs';
import { isSigned } from './stand-ins.mjs';

/** Two seconds in all. */
const TRIES_MAX = 20;
const TRY_AGAIN_MS = 100;
/** Between two songs. */
const SONG_MS = 1_000;

export async function createCustomer(email) {
  const made = await register(urlOf(API_PORTS[0]), email);
  const wav = readFileSync(join(ROOT, 'decode/fixtures/adpcm-ima.wav'));
  let turn = 0;
  /** To whichever API answers: one that stops refuses connections, as behind a balancer. */
  async function send(path, init) {
    for (let tries = 0; ; tries += 1) {
      turn += 1;
      try {
        const headers = { 'x-api-key': made.api_key, ...init.headers };
        const response = await fetch(urlOf(API_PORTS[turn % API_PORTS.length], path), { ...init, headers });
        if (response.status !== 503 || tries > TRIES_MAX) return response;
      } catch (error) {
        if (tries > TRIES_MAX) throw error;
      }
      await delay(TRY_AGAIN_MS);
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
  let on = true;
  const loop = (async () => {
    while (on) {
      await customer.upload().then(
        (id) => accepted.push(id),
        (error) => failures.push(error.message),
      );
      await delay(SONG_MS);
    }
  })();
  return {
    accepted,
    failures,
    /** Until that many more were accepted: what a drill changed is used by then. */
    async more(count) {
      const goal = accepted.length + count;
      await until(() => accepted.length >= goal || failures.length > 0, 'more songs are accepted');
    },
    async stop() {
      on = false;
      await loop;
    },
  };
}

/** From the database and the receiver; every webhook must verify with a secret that the customer was given. */
export async function settle(db, { received }, customer, ids) {
  await waitForEnds(db, ids, { withinMs: 300_000 });
  const listUntold = () => {
    const told = received.filter((webhook) => isSigned(webhook, customer.secrets));
    return ids.filter((id) => !told.some(({ jobId }) => jobId === id));
  };
  await until(() => listUntold().length === 0, 'every webhook has come', { withinMs: 60_000 }).catch(
    () => {},
  );
  return { total: ids.length, ...(await countOutcomes(db, ids)), untold: listUntold().length };
}
