/**
 * Several hosts simulated on one: a network namespace per process, joined by a bridge; PostgreSQL and an S3 store that checks signatures
 * (OpenStack Swift with s3api) at the bridge's address. Needs root and, from Debian, iproute2, postgresql, swift-proxy, swift-account,
 * swift-container and swift-object.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, createWriteStream, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { expect } from '../expect.mjs';
import { until } from '../until.mjs';

/** The bridge, where the database, the store and the driver listen. */
export const BRIDGE_ADDRESS = '10.77.0.1';
const BRIDGE_NAME = 'earshot0';

const sh = (command, ...args) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

export function createWorld(folder, { address = BRIDGE_ADDRESS, postgresPort = 5432 } = {}) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const children = new Set();
  const hosts = [];
  const cleanups = [];

  /** Starts a process that writes its output to NAME.log. */
  function start(name, command, args, options = {}) {
    const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
    // Its own process group, so that its children can be killed with it, as by a power failure.
    const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    children.add(child);
    child.ended = new Promise((resolve) => child.once('exit', resolve)).finally(() => children.delete(child));
    return child;
  }

  function makeBridge() {
    sh('ip', 'link', 'add', BRIDGE_NAME, 'type', 'bridge');
    cleanups.push(() => sh('ip', 'link', 'del', BRIDGE_NAME));
    sh('ip', 'addr', 'add', `${address}/24`, 'dev', BRIDGE_NAME);
    sh('ip', 'link', 'set', BRIDGE_NAME, 'up');
  }

  /** `disconnect` pulls the network cable. */
  function makeHost(name, hostAddress) {
    const [namespace, outer] = [`earshot-${name}`, `es-${name}`];
    sh('ip', 'netns', 'add', namespace);
    cleanups.push(() => sh('ip', 'netns', 'del', namespace));
    sh('ip', 'link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    sh('ip', 'link', 'set', outer, 'master', BRIDGE_NAME, 'up');
    const inside = (...args) => sh('ip', 'netns', 'exec', namespace, 'ip', ...args);
    inside('addr', 'add', `${hostAddress}/24`, 'dev', 'eth0');
    inside('link', 'set', 'lo', 'up');
    inside('link', 'set', 'eth0', 'up');
    const host = {
      name,
      address: hostAddress,
      child: null,
      run(args, env) {
        host.child = start(name, 'ip', ['netns', 'exec', namespace, process.execPath, ...args], {
          env: { PATH: process.env.PATH, ...env },
        });
        return host.child;
      },
      disconnect: () => sh('ip', 'link', 'set', outer, 'down'),
      reconnect: () => sh('ip', 'link', 'set', outer, 'up'),
    };
    hosts.push(host);
    return host;
  }

  async function startPostgres() {
    const version = readdirSync('/usr/lib/postgresql').sort((a, b) => b - a)[0];
    const bin = `/usr/lib/postgresql/${version}/bin`;
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(sh('id', flag, 'postgres')));
    const home = join(folder, 'postgres');
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, uid, gid);
    const password = randomBytes(12).toString('hex');
    const passwordFile = join(home, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    chownSync(passwordFile, uid, gid);
    const data = join(home, 'data');
    const asPostgres = { uid, gid, cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
    const access = '-U earshot -A scram-sha-256 -E UTF8'.split(' ');
    const init = ['-D', data, `--pwfile=${passwordFile}`, ...access];
    execFileSync(join(bin, 'initdb'), init, { ...asPostgres, stdio: 'ignore' });
    writeFileSync(join(data, 'pg_hba.conf'), `host all all ${address}/24 scram-sha-256\n`);
    const settings = {
      listen_addresses: address,
      port: String(postgresPort),
      unix_socket_directories: home,
      max_connections: '200',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    start('postgres', join(bin, 'postgres'), ['-D', data, ...args], asPostgres);
    await waitForPort(address, postgresPort);
    return { version, url: `postgres://earshot:${password}@${address}:${postgresPort}/postgres` };
  }

  async function startStore() {
    const home = join(folder, 'swift');
    for (const part of ['etc', 'srv/d1']) mkdirSync(join(home, part), { recursive: true });
    const etc = join(home, 'etc');
    for (const [ring, port] of Object.entries(SWIFT_PORTS)) {
      const builder = join(etc, `${ring}.builder`);
      sh('swift-ring-builder', builder, 'create', '4', '1', '1');
      sh('swift-ring-builder', builder, 'add', `r1z1-127.0.0.1:${port}/d1`, '1');
      sh('swift-ring-builder', builder, 'rebalance');
      const config = join(etc, `${ring}-server.conf`);
      writeFileSync(config, storageServerConfig(ring, port, home));
      start(`swift-${ring}`, `swift-${ring}-server`, [config]);
    }
    const secret = randomBytes(16).toString('hex');
    writeFileSync(join(etc, 'proxy-server.conf'), proxyConfig(home, address, secret));
    start('swift-proxy', 'swift-proxy-server', [join(etc, 'proxy-server.conf')]);
    await waitForPort(address, SWIFT_PROXY_PORT);
    const s3 = {
      S3_ENDPOINT: `http://${address}:${SWIFT_PROXY_PORT}`,
      S3_BUCKET: 'earshot',
      S3_ACCESS_KEY_ID: 'earshot:store',
      S3_SECRET_ACCESS_KEY: secret,
    };
    await makeBucket(s3);
    return s3;
  }

  async function close() {
    for (const child of children) signalGroup(child, 'SIGKILL');
    await Promise.all([...children].map((child) => child.ended));
    for (const cleanUp of cleanups.splice(0).reverse()) cleanUp();
  }
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => close().finally(() => process.exit(1)));

  return {
    folder,
    makeBridge,
    makeHost,
    startPostgres,
    startStore,
    start,
    /** `ip netns exec` is replaced by the program, so the process id is the same. */
    pidOf: (name) => hosts.find((host) => host.name === name).child.pid,
    close,
  };
}

export function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

async function waitForPort(address, port) {
  const isOpen = () =>
    new Promise((resolve) => {
      const socket = connect(port, address, () => resolve(true)).on('error', () => resolve(false));
      socket.setTimeout(1_000, () => resolve(false));
      setTimeout(() => socket.destroy(), 1_200).unref();
    });
  await until(isOpen, `something listens on ${address}:${port}`, { withinMs: 30_000 });
}

/** Also checks that the store refuses a request with a forged signature. */
async function makeBucket(s3) {
  const sign = { accessKeyId: s3.S3_ACCESS_KEY_ID, region: 'us-east-1', service: 's3', retries: 0 };
  const put = async (secretAccessKey) => {
    const client = new AwsClient({ ...sign, secretAccessKey });
    return (await client.fetch(`${s3.S3_ENDPOINT}/${s3.S3_BUCKET}`, { method: 'PUT' })).status;
  };
  expect([await put('wrong'), await put(s3.S3_SECRET_ACCESS_KEY)], [403, 200]);
}

const SWIFT_PORTS = { account: 6202, container: 6201, object: 6200 };
const SWIFT_PROXY_PORT = 8085;

const storageServerConfig = (ring, port, home) => `
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 1
user = root
swift_dir = ${home}/etc
devices = ${home}/srv
mount_check = false
[pipeline:main]
pipeline = ${ring}-server
[app:${ring}-server]
use = egg:swift#${ring}
`;

const proxyConfig = (home, address, secret) => `
[DEFAULT]
bind_ip = ${address}
bind_port = ${SWIFT_PROXY_PORT}
workers = 2
user = root
swift_dir = ${home}/etc
[pipeline:main]
pipeline = catch_errors cache s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_earshot_store = ${secret} .admin
user_earshot_second = ${secret}2 .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
`;
