import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startProgram } from '../test/child-process.ts';
import { createTestDatabase } from '../test/database.ts';
import { type Finding, runCheck } from './check.ts';
import { checkDatabase } from './service-checks.ts';

const folder = await mkdtemp(join(tmpdir(), 'earshot-doctor-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const { db, url: databaseUrl } = await createTestDatabase();

async function runDoctor(env: Record<string, string>) {
  const doctor = startProgram('doctor.js', ['--json'], { cwd: folder, env: { PORT: '0', ...env } });
  const lines: string[] = [];
  for (let text = ''; text !== ']'; lines.push(text)) text = await doctor.nextLine();
  const findings = JSON.parse(lines.join('\n')) as Finding[];
  return {
    exitCode: await doctor.ended,
    status: new Map(findings.map(({ name, status }) => [name, status])),
  };
}

describe('earshot doctor', { timeout: 120_000 }, () => {
  it('reports no failure where the service would start', async () => {
    const { exitCode, status } = await runDoctor({
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl,
    });
    for (const name of ['Node.js', 'models', 'settings', 'data folder', 'port', 'PostgreSQL', 'storage']) {
      expect([name, status.get(name)]).toEqual([name, 'ok']);
    }
    // No mail server is configured.
    expect(status.get('mail')).toBe('warning');
    // These two depend on the machine.
    expect(status.has('sandbox') && status.has('free disk')).toBe(true);
    expect(exitCode).toBe([...status.values()].includes('failed') ? 1 : 0);
  });

  it('names everything that is missing, and exits with 1', async () => {
    await writeFile(join(folder, 'a-file'), '');
    const { exitCode, status } = await runDoctor({
      DATA_DIR: join(folder, 'a-file'),
      DATABASE_URL: 'postgres://127.0.0.1:1/nobody',
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    for (const name of ['data folder', 'PostgreSQL', 'storage', 'mail']) {
      expect([name, status.get(name)]).toEqual([name, 'failed']);
    }
    expect(exitCode).toBe(1);
  });

  it('refuses an unknown option with a message and no stack', async () => {
    const doctor = startProgram('doctor.js', ['--jsno']);
    const failure = await doctor.nextLine().catch((error: Error) => error.message);
    expect(failure).toContain("doctor.js ended (2): Unknown option '--jsno'");
    expect(failure).not.toMatch(/\n\s+at /);
  });

  it('counts the migrations that the next start will apply', async () => {
    const check = () => runCheck(checkDatabase({ databaseUrl, dataDir: folder }));
    expect(await check()).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^\d+\.\d+, up to date$/),
    });
    await db.query(
      'delete from schema_migrations where name in (select name from schema_migrations limit 2)',
    );
    expect(await check()).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/will apply: 2$/),
    });
  });

  it('stops at settings that cannot be read', async () => {
    const { exitCode, status } = await runDoctor({ PORT: 'eighty' });
    expect([exitCode, status.get('settings'), status.has('PostgreSQL')]).toEqual([1, 'failed', false]);
  });
});
