import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Database } from '../../platform/postgres.ts';
import { createTestClient, type TestClient } from '../client.ts';
import { createTestDatabase } from '../database.ts';
import { type ServiceProcess, startServiceProcess } from '../service-process.ts';

/** The service for one test file: API and worker in one process, with few settings other than the defaults. */
export async function startJourneyService(
  env: Record<string, string> = {},
): Promise<ServiceProcess & { client: TestClient; db: Database }> {
  const { db, url: databaseUrl } = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-journey-'));
  const service = await startServiceProcess('all', {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
    STOP_GRACE_SECONDS: '0',
    REGISTRATIONS_PER_HOUR: '100',
    ...env,
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended;
    await rm(dataDir, { recursive: true, force: true });
  });
  return { ...service, client: createTestClient(service.url), db };
}

/** Signs in by e-mail code, which the response contains because the service has no mail server. */
export async function signIn(client: TestClient, baseUrl: string, email: string) {
  const challenge = await client.post<{ challenge_id: string; dev_code: string }>('/v1/auth/email/start', {
    email,
  });
  if (challenge.status >= 400)
    throw new Error(`No code: ${challenge.status} ${JSON.stringify(challenge.body)}`);
  const session = await client.post<{ access_token: string; user_id: string; workspace_id: string }>(
    '/v1/auth/email/verify',
    { challenge_id: challenge.body.challenge_id, code: challenge.body.dev_code },
  );
  if (session.status !== 200)
    throw new Error(`Sign-in failed: ${session.status}: ${JSON.stringify(session.body)}`);
  const member = createTestClient(baseUrl, { authorization: `Bearer ${session.body.access_token}` });
  return { ...session.body, client: member };
}
