import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { startFleet } from './fleet.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-fleet-'));
afterAll(() => rmSync(folder, { recursive: true }));
const program = join(folder, 'program.mjs');
const notReady = join(folder, 'not-ready');
/** Prints what the service prints, and is ready until there is a file `not-ready`. */
writeFileSync(
  program,
  `import { existsSync } from 'node:fs';
   import { createServer } from 'node:http';
   const server = createServer((_, response) => response.writeHead(existsSync('${notReady}') ? 503 : 200).end());
   server.listen(0, '127.0.0.1', () =>
     console.log(process.argv[2] === 'serve' ? 'listens on http://127.0.0.1:' + server.address().port : 'works on the jobs'));
   process.on('SIGTERM', () => process.exit(7));`,
);
/** Longer than a restart takes, even on a busy machine. */
const PATIENT_MS = 30_000;

async function start(descriptorsMax?: number) {
  const limit = descriptorsMax === undefined ? {} : { descriptorsMax };
  const fleet = await startFleet({
    program,
    env: {},
    logFolder: folder,
    serveCount: 2,
    workCount: 1,
    ...limit,
  });
  onTestFinished(() => fleet.stop());
  return fleet;
}

it('starts the processes of each role, and chooses among the URLs of the API in turn', async () => {
  const fleet = await start();
  expect(fleet.members.map(({ name }) => name)).toEqual(['serve-0', 'serve-1', 'work-2']);
  expect(fleet.of('work').map((member) => [member.name, member.url()])).toEqual([['work-2', null]]);
  const [one, two] = fleet.of('serve').map((member) => member.url());
  expect(one).not.toBe(two);
  expect(await Promise.all([0, 1, 2].map(fleet.anyUrl))).toEqual([one, two, one]);
});

it('restarts a process that exits, and sends it no requests meanwhile', async () => {
  const fleet = await start();
  const restarted = fleet.watchRestarts();
  const [killed, other] = fleet.of('serve');
  const pid = killed!.pid();
  killed!.kill('SIGKILL');
  expect([killed!.ready(), fleet.urls()]).toEqual([false, [other!.url()]]);
  expect(await fleet.allReady(PATIENT_MS)).toBe(true);
  expect(restarted().map(({ name }) => name)).toEqual(['serve-0']);
  expect(killed!.pid()).not.toBe(pid);
  expect([killed!.exits, killed!.startCount()]).toEqual([['SIGKILL'], 2]);
});

it('reports ready while every API process does', async () => {
  const fleet = await start();
  expect(await fleet.reportsReady(PATIENT_MS)).toBe(true);
  writeFileSync(notReady, '');
  onTestFinished(() => rmSync(notReady));
  expect(await fleet.reportsReady(PATIENT_MS)).toBe(false);
});

it('limits open files and sockets, and ends every process by SIGTERM', async () => {
  const fleet = await start(200);
  for (const member of fleet.members)
    expect(readFileSync(`/proc/${member.pid()}/limits`, 'utf8')).toMatch(/^Max open files +200 +200 /m);
  await fleet.stop();
  expect(fleet.members.map((member) => [member.pid(), member.exits])).toEqual(Array(3).fill([null, [7]]));
});
