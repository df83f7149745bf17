/** The service under drill: its processes, and the settings they start with. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '../expect.mjs';
import { signalGroup } from '../scale-out/world.mjs';
import { until } from '../until.mjs';
import { API_PORTS, FOLDER, LOOPBACK, METRICS_PORT_BASES, ROOT, SANDBOX_PORT, urlOf } from './addresses.mjs';

export const PROCESSES = ['api-1', 'api-2', 'work-1', 'work-2'];

export function createService(world, firstEnv) {
  const running = new Map();
  const service = {
    env: firstEnv,
    program: join(ROOT, 'server/dist/earshot.js'),
    start,
    stop,
    async restart(...names) {
      for (const name of names) {
        await stop(name);
        await start(name);
      }
    },
    /** Sets variables for every process, then restarts each in turn. An empty value removes a variable. */
    async change(values, names = [...running.keys()]) {
      service.env = withoutEmpty({ ...service.env, ...values });
      await service.restart(...names);
    },
    async stopAll() {
      for (const name of [...running.keys()]) await stop(name);
    },
    /** Runs a command of the program, such as `migrate`, and returns its last line of output. */
    command(role, program = service.program) {
      const own = { PATH: process.env.PATH, ...service.env, DATA_DIR: join(FOLDER, 'command') };
      const output = execFileSync(process.execPath, [program, role], { env: own, encoding: 'utf8' });
      return output.trim().split('\n').at(-1);
    },
  };

  /** An empty value of `overrides` leaves a variable out. */
  async function start(name, overrides = {}) {
    const [role, number] = name.split('-');
    const own = {
      PORT: String(API_PORTS[Number(number) - 1] ?? SANDBOX_PORT),
      HOST: LOOPBACK,
      METRICS_PORT: String(metricsPortOf(role, Number(number))),
      DATA_DIR: join(FOLDER, name),
    };
    const env = withoutEmpty({ PATH: process.env.PATH, ...service.env, ...own, ...overrides });
    const args = [service.program, role === 'api' ? 'serve' : 'work'];
    running.set(name, world.start(name, process.execPath, args, { env }));
    await until(() => isOk(urlOf(own.METRICS_PORT, '/health')), `${name} is alive`);
    if (role === 'api') await until(() => isOk(urlOf(own.PORT, '/ready')), `${name} is ready`);
  }

  async function stop(name) {
    const child = running.get(name);
    child.kill('SIGTERM');
    expect(await child.ended, 0);
    signalGroup(child, 'SIGKILL');
    running.delete(name);
  }
  return service;
}

/** `number` counts from 1. */
export const metricsPortOf = (role, number) => METRICS_PORT_BASES[role] + number;

async function isOk(url) {
  return (await fetch(url).catch(() => null))?.ok === true;
}

function withoutEmpty(env) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/** The service looks for the documents and the dashboard beside itself. */
const LINKED_PATHS = ['node_modules', 'docs', 'dashboard'];

/** Copies the program and adds a migration, as the next release would. */
export function makeNewerVersion() {
  const newer = join(FOLDER, 'newer');
  mkdirSync(newer);
  for (const part of LINKED_PATHS) symlinkSync(join(ROOT, part), join(newer, part));
  cpSync(join(ROOT, 'server'), join(newer, 'server'), { recursive: true });
  writeFileSync(
    join(newer, 'server/migrations/9999-drill.sql'),
    `alter table analyses add column drill text not null default 'new'; create index analyses_drill on analyses (drill);`,
  );
  return join(newer, 'server/dist/earshot.js');
}
