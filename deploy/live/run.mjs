/**
 * Deploys the image of the Dockerfile, on a base made of Debian packages, with podman and the restrictions of compose.yaml (user 1000,
 * read-only root, no capabilities, no new privileges, the default seccomp profile): two APIs, two workers, PostgreSQL and an S3 store in
 * containers. Each API, each worker and the database is killed with SIGKILL while songs wait; every accepted song must be completed.
 *
 *     sudo node deploy/live/run.mjs     as root, on Debian: apt install podman buildah runc mmdebstrap postgresql-client
 *
 * --no-build reuses the image of an earlier run. NODE_PROGRAM is the Node to put into the base (default: the one running this). `npm ci`
 * needs a registry, and gets this machine's ~/.npmrc and NODE_EXTRA_CA_CERTS. Containers share the host's network, because podman's own
 * needs privileges that a sandbox may not have.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openAsBlob,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { readJson, register } from '../requests.mjs';
import { until } from '../until.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'earshot-live-'));
const SONG = join(root, 'examples', 'sample-song', 'two-doors-down.mp3');
const BASE = 'localhost/earshot-live-base';
const IMAGE = 'localhost/earshot-live';
const PORTS = { postgres: 28_432, s3: 28_433, apis: [28_434, 28_435], metrics: 28_440 };
/** The song was composed at exactly this tempo (two-doors-down.mjs). */
const SONG_BPM = 112;
/** One per API. */
const SONGS_PER_KILL = 2;
/** The engine is right to well within this. */
const TEMPO_TOLERANCE_BPM = 1;
/** A container starts, and a song is analysed, within this on a busy machine. */
const RETRY_WITHIN_MS = 300_000;
/** Podman's defaults are higher, and raising limits takes CAP_SYS_RESOURCE, which root may lack in a sandbox. */
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'];
const LOCKED_DOWN =
  '--read-only --cap-drop=all --security-opt=no-new-privileges --user=1000 --tmpfs=/tmp:mode=1777'.split(' ');
const containers = new Set();

const run = (program, args, options = {}) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options });
const podman = (...args) => run('podman', ['--runtime', 'runc', ...args]);

function start(name, args) {
  spawnSync('podman', ['rm', '-f', '-t', '0', name], { stdio: 'ignore' });
  podman('run', '-d', '--name', name, '--network=host', ...LIMITS, ...args);
  containers.add(name);
}

function makeBase() {
  if (spawnSync('podman', ['image', 'exists', BASE]).status === 0) return;
  const tree = join(folder, 'base');
  mkdirSync(tree);
  const packages = '--include=ca-certificates,libstdc++6,postgresql';
  run('mmdebstrap', ['--quiet', '--variant=minbase', packages, 'bookworm', join(folder, 'base.tar')]);
  run('tar', ['xf', join(folder, 'base.tar'), '-C', tree]);
  cpSync(process.env.NODE_PROGRAM ?? process.execPath, join(tree, 'usr/local/bin/node'), {
    dereference: true,
  });
  const npm = run('npm', ['root', '--global']).trim();
  cpSync(join(npm, 'npm'), join(tree, 'usr/local/lib/node_modules/npm'), { recursive: true });
  run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(tree, 'usr/local/bin/npm')]);
  run('chroot', [tree, 'useradd', '--uid', '1000', '--create-home', 'node']);
  run('tar', ['cf', join(folder, 'tree.tar'), '-C', tree, '.']);
  podman('import', join(folder, 'tree.tar'), BASE);
}

/** Mounts this machine's npm settings and additional certificates. */
function registryMounts() {
  const certificates = process.env.NODE_EXTRA_CA_CERTS ?? '';
  const npmrc = join(homedir(), '.npmrc');
  const lines = existsSync(npmrc) ? readFileSync(npmrc, 'utf8') : '';
  const settingsPath = join(folder, 'npmrc');
  writeFileSync(settingsPath, existsSync(certificates) ? `${lines}\ncafile=/registry.pem\n` : lines, {
    mode: 0o600,
  });
  const volumes = ['-v', `${settingsPath}:/root/.npmrc:ro`];
  return existsSync(certificates) ? [...volumes, '-v', `${certificates}:/registry.pem:ro`] : volumes;
}

function buildImage() {
  const source = join(folder, 'source');
  mkdirSync(source);
  run('sh', ['-c', `git -C "$1" archive HEAD | tar xf - -C "$2"`, 'sh', root, source]);
  const args = ['bud', '--network=host', ...LIMITS, ...registryMounts(), '--build-arg', `NODE_IMAGE=${BASE}`];
  run('buildah', ['--runtime', 'runc', ...args, '-t', IMAGE, source], { stdio: 'inherit' });
}

function startDatabase() {
  const init =
    'test -d /pg/data || { initdb -D /pg/data -U earshot --auth=trust >/dev/null; }; exec postgres -D /pg/data -k /tmp';
  const bin = '/usr/lib/postgresql/15/bin';
  mkdirSync(join(folder, 'pg'), { recursive: true });
  run('chown', ['1000:1000', join(folder, 'pg')]);
  const args = [...LOCKED_DOWN, '-v', `${folder}/pg:/pg`, '--env', `PATH=${bin}:/usr/bin:/bin`];
  const command = `${init} -p ${PORTS.postgres} -c listen_addresses=127.0.0.1`;
  start('live-postgres', [...args, '--entrypoint', '/bin/sh', BASE, '-c', command]);
}

/** The S3 stand-in of the tests, which checks every signature. It is not killed, because it keeps objects in memory. */
async function startStore() {
  const entry = join(root, 'server', 'src', 'test', 's3-stand-in.ts');
  const program = `import { startS3StandIn } from ${JSON.stringify(entry)}; console.log((await startS3StandIn(${PORTS.s3})).endpoint);`;
  const outfile = join(folder, 's3.mjs');
  await build({
    stdin: { contents: program, resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  start('live-s3', [...LOCKED_DOWN, '-v', `${outfile}:/s3.mjs:ro`, '--entrypoint', 'node', BASE, '/s3.mjs']);
}

const settings = {
  DATABASE_URL: `postgres://earshot@127.0.0.1:${PORTS.postgres}/postgres`,
  SECRET_KEY: 'a key of the live run, 32 characters',
  S3_BUCKET: 'earshot',
  S3_ENDPOINT: `http://127.0.0.1:${PORTS.s3}`,
  S3_REGION: 'eu-test-1',
  S3_ACCESS_KEY_ID: 'AKTEST',
  S3_SECRET_ACCESS_KEY: 'the-secret-of-the-stand-in',
  ALLOW_DEV_CODES: 'true',
};

/** A writable folder for temporary files, as in compose.yaml. */
function scratchMount() {
  const path = mkdtempSync(join(folder, 'data-'));
  run('chown', ['1000:1000', path]);
  return ['-v', `${path}:/data`];
}

const asArguments = (env) => Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);

function startRole(name, role, overrides) {
  const env = asArguments({ ...settings, ...overrides });
  start(name, [...LOCKED_DOWN, ...scratchMount(), ...env, IMAGE, role]);
}

/** By container; each is killed once, in this order. */
const STARTS = { 'live-postgres': startDatabase };
for (const [index, port] of PORTS.apis.entries()) {
  const own = { PORT: port, BASE_URL: `http://127.0.0.1:${port}`, METRICS_PORT: PORTS.metrics + index };
  STARTS[`live-api-${index + 1}`] = (name) => startRole(name, 'serve', own);
}
for (const number of [1, 2]) {
  const own = { METRICS_PORT: PORTS.metrics + PORTS.apis.length + number };
  STARTS[`live-worker-${number}`] = (name) => startRole(name, 'work', own);
}

const baseUrl = (api) => `http://127.0.0.1:${PORTS.apis[api]}`;

async function send(path, options, api = 0) {
  return readJson(await fetch(`${baseUrl(api)}${path}`, options));
}

/** Retries while `work` fails. */
const retry = (what, work) =>
  until(() => work().catch(() => null), what, { withinMs: RETRY_WITHIN_MS, everyMs: 500 });

const untilReady = (api) => retry(`API ${api + 1} is ready`, () => send('/ready', {}, api));

async function upload(key, api) {
  const form = new FormData();
  form.append('file', await openAsBlob(SONG), 'song.mp3');
  const { job_id: job } = await send(
    '/v1/analyze/upload',
    { method: 'POST', headers: { 'X-API-Key': key }, body: form },
    api,
  );
  return job;
}

/** The restrictions of compose.yaml, as /proc shows them for the first process of a container. */
const EXPECTED_STATUS = {
  Uid: '1000\t1000\t1000\t1000',
  CapEff: '0000000000000000',
  CapBnd: '0000000000000000',
  NoNewPrivs: '1',
  // SECCOMP_MODE_FILTER, from podman's default profile.
  Seccomp: '2',
};

function checkContainer(name) {
  const status = podman('exec', name, 'cat', '/proc/1/status');
  for (const [field, expected] of Object.entries(EXPECTED_STATUS)) {
    const found = new RegExp(`^${field}:\\s+(.*)$`, 'm').exec(status)?.[1];
    if (found !== expected) throw new Error(`${name}: ${field} is ${found} instead of ${expected}`);
  }
  if (spawnSync('podman', ['--runtime', 'runc', 'exec', name, 'touch', '/app/planted']).status === 0)
    throw new Error(`${name} can write to its own program`);
}

async function main() {
  makeBase();
  if (!process.argv.includes('--no-build')) buildImage();
  startDatabase();
  await startStore();
  const probe = ['exec', 'live-postgres', 'pg_isready', '-h', '127.0.0.1', '-p', `${PORTS.postgres}`];
  await retry('PostgreSQL answers', async () => spawnSync('podman', probe).status === 0);
  const once = ['--rm', '--network=host', ...LIMITS, ...LOCKED_DOWN, ...scratchMount()];
  console.log(podman('run', ...once, ...asArguments(settings), IMAGE, 'migrate').trim());
  const ours = Object.keys(STARTS).filter((name) => name !== 'live-postgres');
  for (const name of ours) STARTS[name](name);
  await Promise.all(PORTS.apis.map((_, api) => untilReady(api)));
  for (const name of ours) checkContainer(name);
  console.log(`${ours.join(', ')}: user 1000, no capabilities, no new privileges, seccomp, read-only root`);
  const { api_key: key } = await register(baseUrl(0), 'live@example.com');
  const jobs = [];
  for (const [name, restart] of [[null, () => {}], ...Object.entries(STARTS)]) {
    await Promise.all(PORTS.apis.map((_, api) => untilReady(api)));
    for (let song = 0; song < SONGS_PER_KILL; song++)
      jobs.push(await retry('a song is accepted', () => upload(key, song % PORTS.apis.length)));
    if (name !== null) podman('kill', '--signal', 'KILL', name);
    restart(name);
    console.log(`${name ?? 'nothing'} killed with ${jobs.length} songs accepted so far`);
  }
  for (const job of jobs) {
    const { result } = await retry(`${job} is complete`, async () => {
      const answer = await send(`/v1/analysis/${job}`, { headers: { 'X-API-Key': key, Prefer: 'wait=20' } });
      return answer.result ? answer : null;
    });
    if (Math.abs(result.bpm - SONG_BPM) > TEMPO_TOLERANCE_BPM)
      throw new Error(`${job}: ${result.bpm} BPM instead of ${SONG_BPM}`);
  }
  const walls = /"walls":\[[^\]]*\]/.exec(podman('logs', 'live-worker-1'))?.[0];
  console.log(`${jobs.length} songs accepted, all complete; the decoder's ${walls}`);
}

try {
  await main();
} catch (error) {
  for (const name of containers) {
    const { stdout, stderr } = spawnSync('podman', ['logs', '--tail', '20', name], { encoding: 'utf8' });
    writeFileSync(2, `--- ${name}\n${stdout}${stderr}`);
  }
  throw error;
} finally {
  for (const name of containers) spawnSync('podman', ['rm', '-f', '-t', '0', name], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
}
