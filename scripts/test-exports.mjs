/**
 * Every export opened by a program that is not ours: thirty short songs are made, analysed by a started service, put into a
 * collection and ordered harmonically; what the service then writes is read back in Python (exports/readers), which also checks the
 * reason of every step by itself. `npm run test:exports`; with file names, those songs instead. Skipped, with the reason, where there is
 * no Python or no package index.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll } from './build.mjs';
import { makeSong } from './make-song.mjs';
import { openPython } from './python-environment.mjs';
import { startService } from './start-service.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SONGS = 30;
const SINGLE = [
  'midi',
  'musicxml',
  'chordpro',
  'jams',
  'lab-beats',
  'lab-chords',
  'lab-sections',
  'rekordbox-xml',
  'audacity',
  'csv',
];
const COLLECTION = ['rekordbox', 'traktor', 'virtualdj', 'serato', 'm3u8', 'csv', 'jams', 'chordpro'];
const FOLDER = '/Users/ada/My Music';

const python = openPython(join(root, 'exports', 'readers'), 10);
if (python.missing) console.log(`skipped: the readers of our exports: ${python.missing}`);
else process.exitCode = (await run()) ? 0 : 1;

async function run() {
  for (const failure of await buildAll()) console.error(failure.message);
  const service = await startService();
  const out = mkdtempSync(join(tmpdir(), 'earshot-exports-'));
  try {
    await writeExports(service.url, out);
    return await python.run('pytest', ['-q', '-p', 'no:cacheprovider'], { EXPORTS: out, FOLDER });
  } finally {
    await service.stop();
    rmSync(out, { recursive: true, force: true });
  }
}

async function writeExports(url, out) {
  const registered = await ask(`${url}/v1/auth/register`, {
    method: 'POST',
    ...json({ email: 'exports@example.com' }),
  });
  const { api_key: key } = await registered.json();
  const headers = { 'x-api-key': key };
  const ids = [];
  for (const { name, bytes } of songs()) {
    const form = new FormData();
    form.set('file', new Blob([bytes]), name);
    const { job_id } = await (
      await ask(`${url}/v1/analyze/upload`, { method: 'POST', headers, body: form })
    ).json();
    ids.push(job_id);
  }
  for (const id of ids) {
    const wait = { headers: { ...headers, prefer: 'wait=60' } };
    let job = { status: 'queued' };
    while (!['completed', 'failed'].includes(job.status))
      job = await (await ask(`${url}/v1/analyses/${id}`, wait)).json();
    if (job.status === 'failed') throw new Error(`${id}: ${JSON.stringify(job.error)}`);
  }
  const made = await ask(`${url}/v1/collections`, {
    method: 'POST',
    ...json({ name: 'Friday & later', items: ids }, headers),
  });
  const collection = await made.json();
  const order = await (
    await ask(`${url}/v1/collections/${collection.id}/order?by=harmonic`, { headers })
  ).json();
  await ask(`${url}/v1/collections/${collection.id}/items`, {
    method: 'PUT',
    ...json(
      { items: order.steps.map(({ job_id }) => job_id) },
      { ...headers, 'if-match': made.headers.get('etag') },
    ),
  });
  writeFileSync(join(out, 'order.json'), JSON.stringify(order));
  for (const format of COLLECTION) {
    const query = new URLSearchParams({ format, folder: FOLDER });
    await save(
      join(out, `collection.${format}`),
      `${url}/v1/collections/${collection.id}/export?${query}`,
      headers,
    );
  }
  const [first] = order.steps;
  await save(join(out, 'song.result.json'), `${url}/v1/analyses/${first.job_id}/result`, headers);
  for (const format of SINGLE) {
    await save(join(out, `song.${format}`), `${url}/v1/analyses/${first.job_id}/exports/${format}`, headers);
  }
}

function* songs() {
  const given = process.argv.slice(2);
  for (const path of given) yield { name: basename(path), bytes: readFileSync(path) };
  if (given.length > 0) return;
  for (let number = 0; number < SONGS; number += 1) {
    yield { name: `song ${String(number + 1).padStart(2, '0')} ü.wav`, bytes: makeSong(number) };
  }
}

function json(body, headers = {}) {
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function ask(url, init) {
  const response = await fetch(url, init);
  if (!response.ok)
    throw new Error(`${init?.method ?? 'GET'} ${url}: ${response.status} ${await response.text()}`);
  return response;
}

async function save(path, url, headers) {
  writeFileSync(path, Buffer.from(await (await ask(url, { headers })).arrayBuffer()));
}
