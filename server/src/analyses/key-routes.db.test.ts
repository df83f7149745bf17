import { describe, expect, it } from 'vitest';
import { newId } from '../platform/ids.ts';
import type { JsonAnswer } from '../test/client.ts';
import { createWorkspaceBench } from './test-workspace-bench.ts';

const { db, newCustomer, submit } = await createWorkspaceBench();

describe('GET /v1/analysis/{id}', () => {
  it("answers for another account's job as for one that does not exist", async () => {
    const mine = await newCustomer();
    const theirs = await newCustomer();
    const { body } = await submit(theirs.client);
    for (const path of ['', '/full', '/webhooks']) {
      const foreign = await mine.client.get(`/v1/analysis/${body.id}${path}`);
      const random = await mine.client.get(`/v1/analysis/job_01k0f8yq3m7t9w2x4z6b8c0d1e${path}`);
      expect(foreign.status).toBe(404);
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...random.body, request_id: '' });
    }
  });
});

describe('GET /v1/analysis/{id}/webhooks', () => {
  it('pages through the attempts, oldest first', async () => {
    const { client, member } = await newCustomer();
    const id = (await submit(client)).body.id;
    const delivery = newId('whd');
    await db.query(
      `insert into webhook_deliveries (id, workspace_id, analysis_id, url, event_type, body, status)
       values ($1, $2, $3, 'u', 'analysis.completed', '{}', 'failed')`,
      [delivery, member.actor.workspaceId, id],
    );
    await db.query(
      `insert into webhook_attempts (id, delivery_id, attempt, url, status, duration_ms)
       select 'att_7zzzzzzzzzzzzzzzzzzzzzz' || lpad(n::text, 3, '0'), $1, n, 'u', 'failed', 1 from generate_series(1, 120) n`,
      [delivery],
    );
    type Answer = { job_id: string; attempts: { attempt: number }[] };
    const counts: number[][] = [];
    let next: string | undefined = `/v1/analysis/${id}/webhooks`;
    while (next !== undefined) {
      const answer: JsonAnswer<Answer> = await client.get<Answer>(next);
      expect(answer.body.job_id).toBe(id);
      counts.push(answer.body.attempts.map(({ attempt }) => attempt));
      next = /<(.+)>/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(counts.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(counts.flat()).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
  });
});
