/**
 * Reads the exports, except waveforms and Spotify's objects, with third-party software: synthesises thirty short songs, has a running
 * service analyse them, puts them into a collection in harmonic order, and reads the exports back in Python (exports/readers), which also
 * verifies the reason of every step independently. `npm run test:exports`; file names as arguments replace the synthesised songs. Skipped,
 * with the reason, without Python or a package index.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { post, readJson, register } from '../deploy/requests.mjs';
import { buildAll } from './build.mjs';
import { makeSong } from './make-song.mjs';
import { openPython } from './python-environment.mjs';
import { startService } from './start-service.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SONG_COUNT = 30;
const SONG_FORMATS = [
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
const COLLECTION_FORMATS = ['rekordbox', 'traktor', 'virtualdj', 'serato', 'm3u8', 'csv', 'jams', 'chordpro'];
const FOLDER = '/Users/ada/My Music';

/** Of Python 3: what the pinned music21 and pyrekordbox need. */
const PYTHON_MINOR_VERSION_MIN = 11;
const python = openPython(join(root, 'exports', 'readers'), PYTHON_MINOR_VERSION_MIN);
if (python.missing) console.log(`skipped: reading the exports: ${python.missing}`);
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
  const { api_key: key } = await register(url, 'exports@example.com');
  const headers = { 'x-api-key': key };
  const ids = [];
  for (const { name, bytes } of songs()) ids.push(await upload(url, headers, name, bytes));
  for (const id of ids) await finish(url, headers, id);
  const { collection, order } = await arrange(url, headers, ids);
  writeFileSync(join(out, 'order.json'), JSON.stringify(order));
  const save = async (name, path) => {
    const response = await fetch(`${url}${path}`, { headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    writeFileSync(join(out, name), Buffer.from(await response.arrayBuffer()));
  };
  for (const format of COLLECTION_FORMATS) {
    const query = new URLSearchParams({ format, folder: FOLDER });
    await save(`collection.${format}`, `/v1/collections/${collection.id}/export?${query}`);
  }
  const song = `/v1/analyses/${order.steps[0].job_id}`;
  await save('song.result.json', `${song}/result`);
  for (const format of SONG_FORMATS) await save(`song.${format}`, `${song}/exports/${format}`);
}

async function upload(url, headers, name, bytes) {
  const body = new FormData();
  body.set('file', new Blob([bytes]), name);
  const accepted = await readJson(await fetch(`${url}/v1/analyze/upload`, { method: 'POST', headers, body }));
  return accepted.job_id;
}

async function finish(url, headers, id) {
  for (;;) {
    const asked = await fetch(`${url}/v1/analyses/${id}`, { headers: { ...headers, prefer: 'wait=30' } });
    const job = await readJson(asked);
    if (job.status === 'completed') return;
    if (job.status === 'failed') throw new Error(`${id}: ${JSON.stringify(job.error)}`);
  }
}

/** Creates a collection in the harmonic order that the service proposes. */
async function arrange(url, headers, ids) {
  const made = await post(`${url}/v1/collections`, { name: 'Friday & later', items: ids }, headers);
  const collection = await readJson(made);
  const path = `${url}/v1/collections/${collection.id}`;
  const order = await readJson(await fetch(`${path}/order?by=harmonic`, { headers }));
  const replaced = await fetch(`${path}/items`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json', 'if-match': made.headers.get('etag') },
    body: JSON.stringify({ items: order.steps.map(({ job_id }) => job_id) }),
  });
  await readJson(replaced);
  return { collection, order };
}

function* songs() {
  const given = process.argv.slice(2);
  for (const path of given) yield { name: basename(path), bytes: readFileSync(path) };
  if (given.length > 0) return;
  for (let number = 0; number < SONG_COUNT; number += 1) {
    yield { name: `song ${String(number + 1).padStart(2, '0')} ü.wav`, bytes: makeSong(number) };
  }
}
