import type * as contract from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createWorkspaceBench } from '../analyses/test-workspace-bench.ts';
import { keyHeaders } from '../test/analysis-service.ts';
import { createTestClient, type TestClient } from '../test/client.ts';

type Correction = z.infer<typeof contract.Correction>;

const { db, service, newCustomer, submit, completeOne } = await createWorkspaceBench();
const song = await completeOne();
const pathOf = (id: string) => `/v1/account/analyses/${id}/corrections`;
const put = (client: TestClient, id: string, body: object) =>
  client.send<Correction>(pathOf(id), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const NONE = { bpm: null, key: null, first_downbeat_seconds: null, note: null };

describe('corrections', () => {
  it('are all null before anyone has said anything', async () => {
    const { status, body } = await song.client.get<Correction>(pathOf(song.id));
    expect(status).toBe(200);
    expect(body).toEqual({ job_id: song.id, ...NONE, corrected_by: null, updated_at: null });
  });

  it('are kept beside the estimate, which stays as it is, and are in the audit log', async () => {
    const estimate = await song.client.get(`/v1/analyses/${song.id}/result`);
    const said = { bpm: 87.5, key: 'F# minor', first_downbeat_seconds: 0.25, note: 'counted by hand' };
    const saved = await put(song.client, song.id, said);
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject({ ...said, corrected_by: song.member.actor.userId });
    expect((await song.client.get(pathOf(song.id))).body).toEqual(saved.body);
    expect((await song.client.get(`/v1/analyses/${song.id}/result`)).body).toEqual(estimate.body);
    expect(await auditOf(song.id)).toEqual([{ action: 'correction.save', metadata: said }]);
  });

  it('are replaced as a whole, and taken back by an empty one', async () => {
    await put(song.client, song.id, { bpm: 90, key: 'G major' });
    const replaced = await put(song.client, song.id, { key: 'E minor' });
    expect(replaced.body).toMatchObject({ ...NONE, key: 'E minor' });
    const taken = await put(song.client, song.id, {});
    expect(taken.body).toMatchObject({ ...NONE, corrected_by: null, updated_at: null });
    expect((await auditOf(song.id)).at(-1)).toEqual({ action: 'correction.remove', metadata: {} });
  });

  it.each([
    [{ bpm: 5 }, 'bpm'],
    [{ key: 'H major' }, 'key'],
    [{ first_downbeat_seconds: -1 }, 'first_downbeat_seconds'],
    [{ tempo: 120 }, 'tempo'],
  ])('refuse %j', async (body, field) => {
    const answer = await put(song.client, song.id, body);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(field);
  });

  it('need a result', async () => {
    const { body } = await submit(song.client);
    const answer = await put(song.client, body.id, { bpm: 100 });
    expect([answer.status, answer.body]).toEqual([409, expect.objectContaining({ code: 'not_finished' })]);
  });

  it('refuse a key that may only read', async () => {
    const reader = createTestClient(service.url, await keyHeaders(song.member, ['analyses:read']));
    expect((await put(reader, song.id, { bpm: 100 })).status).toBe(403);
    expect((await reader.get(pathOf(song.id))).status).toBe(200);
  });

  it("of another account's song are not found, by reading and by writing", async () => {
    const { client } = await newCustomer();
    expect((await client.get(pathOf(song.id))).status).toBe(404);
    expect((await put(client, song.id, { bpm: 100 })).status).toBe(404);
  });

  it('go with the analysis', async () => {
    await put(song.client, song.id, { bpm: 100 });
    await song.client.send(`/v1/analyses/${song.id}`, { method: 'DELETE' });
    expect((await song.client.get(pathOf(song.id))).status).toBe(404);
    expect(await db.query('select * from analysis_corrections')).toEqual([]);
  });
});

function auditOf(id: string): Promise<{ action: string; metadata: unknown }[]> {
  return db.query(
    `select action, metadata from audit_events where target_id = $1 and action like 'correction.%' order by id`,
    [id],
  );
}
