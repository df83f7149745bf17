import { createHash } from 'node:crypto';
import type * as contract from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createWorkspaceBench } from '../analyses/test-workspace-bench.ts';
import { keyHeaders } from '../test/analysis-service.ts';
import { createTestClient, type TestClient } from '../test/client.ts';

type NewShare = z.infer<typeof contract.NewShare>;
type Share = z.infer<typeof contract.Share>;

const { db, service, newCustomer, submit, completeOne } = await createWorkspaceBench();
const song = await completeOne();
const pathOf = (id: string) => `/v1/account/analyses/${id}/shares`;
const share = async () => (await song.client.post<NewShare>(pathOf(song.id), undefined)).body;
const revoke = (client: TestClient, shareId: string) =>
  client.send(`${pathOf(song.id)}/${shareId}`, { method: 'DELETE' });
/** A link to another analysis of the same workspace, which must not count. */
async function insertSibling(client: TestClient, workspaceId: string, shareId: string): Promise<void> {
  const { body } = await submit(client);
  await db.query(
    `insert into analysis_shares (id, analysis_id, workspace_id, token_hash, created_by, created_at)
     values ($1, $2, $3, $1, 'u', now())`,
    [shareId, body.id, workspaceId],
  );
}
/** As a stranger's browser: no credentials. */
const open = (url: string) => fetch(url);

describe('a link to the report', () => {
  it('opens without credentials, runs no scripts, and is not indexed by search engines', async () => {
    const { url } = await share();
    expect(url).toMatch(/\/shared\/[\w-]{43}$/);
    const page = await open(url);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await page.text();
    expect(html).toContain('Earshot report');
    expect(page.headers.get('x-robots-tag')).toContain('noindex');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toContain('no-store');
    const policy = page.headers.get('content-security-policy') ?? '';
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style);
    const [hash] = styles.map((style) => createHash('sha256').update(style).digest('base64'));
    expect([styles.length, policy.split('; ').slice(0, 2)]).toEqual([
      1,
      ["default-src 'none'", `style-src 'sha256-${hash}'`],
    ]);
    expect(policy).not.toContain('unsafe');
  });

  it('is returned once: neither the list nor the database contains it', async () => {
    const made = await share();
    const { url, ...listed } = made;
    const token = url.split('/').at(-1) ?? '';
    const list = await song.client.get<Share[]>(pathOf(song.id));
    expect(list.body[0]).toEqual(listed);
    expect(JSON.stringify(list.body)).not.toContain(token);
    const rows = await db.query('select * from analysis_shares');
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows).toContainEqual(expect.objectContaining({ id: made.id }));
  });

  it('stops working when revoked, which may be repeated; other links keep working', async () => {
    const [kept, closed] = [await share(), await share()];
    expect((await revoke(song.client, closed.id)).body).toEqual({ revoked: true });
    expect((await revoke(song.client, closed.id)).body).toEqual({ revoked: true });
    const page = await open(closed.url);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('This link leads nowhere');
    expect((await open(kept.url)).status).toBe(200);
    const audit = await db.query<{ action: string }>(
      `select action from audit_events where target_id = $1 order by id`,
      [closed.id],
    );
    expect(audit.map(({ action }) => action)).toEqual(['share.create', 'share.revoke']);
  });

  it.each(['x', 'x'.repeat(43), '%00', '..%2f..%2fv1'])('does not open with the token %s', async (token) => {
    const page = await open(`${service.url}/shared/${token}`);
    expect(page.status).toBe(404);
    expect(await page.text()).not.toContain('Earshot report');
  });

  it('is one of at most a hundred open links per report; revoked ones do not count', async () => {
    const { client, id, member } = await completeOne();
    await db.query(
      `insert into analysis_shares (id, analysis_id, workspace_id, token_hash, created_by, created_at)
       select 'shr_full_' || n, $1, $2, 'full-' || n, 'u', now() from generate_series(1, 100) n`,
      [id, member.actor.workspaceId],
    );
    await insertSibling(client, member.actor.workspaceId, 'shr_sibling');
    const another = () => client.post(pathOf(id), undefined);
    expect(await another()).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('at most 100 open links') },
    });
    await client.send(`${pathOf(id)}/shr_full_7`, { method: 'DELETE' });
    // Two requests race for the hundredth link.
    const race = await Promise.all([another(), another()]);
    expect(race.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('is listed page by page, newest first, with revoked ones', async () => {
    const { client, id, member } = await completeOne();
    const oldest = (await client.post<NewShare>(pathOf(id), undefined)).body.id;
    await db.query(
      `insert into analysis_shares (id, analysis_id, workspace_id, token_hash, created_by, created_at, revoked_at)
       select 'shr_7zzzzzzzzzzzzzzzzzzzzzz' || lpad(n::text, 3, '0'), $1, $2, 'revoked-' || n, 'u', now(), now()
       from generate_series(1, 120) n`,
      [id, member.actor.workspaceId],
    );
    await insertSibling(client, member.actor.workspaceId, 'shr_7zzzzzzzzzzzzzzzzzzzzzz999');
    const first = await client.get<Share[]>(pathOf(id));
    expect(first.body).toHaveLength(50);
    expect(first.body[0]!.id).toMatch(/120$/);
    const second = await client.get<Share[]>(/<(.+)>/.exec(first.headers.get('link')!)![1]!);
    expect(second.body.map(({ id: shareId }) => shareId.slice(-3))).toEqual(
      Array.from({ length: 50 }, (_, n) => String(70 - n).padStart(3, '0')),
    );
    const last = await client.get<Share[]>(`${pathOf(id)}?limit=100&after=${second.body.at(-1)!.id}`);
    expect([last.body.length, last.body.at(-1)!.id, last.headers.get('link')]).toEqual([21, oldest, null]);
    expect((await client.get(`${pathOf(id)}?after=shr_1`)).status).toBe(422);
  });

  it('needs a completed analysis', async () => {
    const { body } = await submit(song.client);
    const answer = await song.client.post<{ code: string }>(pathOf(body.id), undefined);
    expect([answer.status, answer.body.code]).toEqual([409, 'not_finished']);
  });

  it('can be neither created nor revoked by a read-only key or another workspace, nor revoked as that of another analysis', async () => {
    const made = await share();
    const reader = createTestClient(service.url, await keyHeaders(song.member, ['analyses:read']));
    expect((await reader.post(pathOf(song.id), undefined)).status).toBe(403);
    expect((await revoke(reader, made.id)).status).toBe(403);
    const { client } = await newCustomer();
    expect((await client.post(pathOf(song.id), undefined)).status).toBe(404);
    expect((await client.get(pathOf(song.id))).status).toBe(404);
    expect((await revoke(client, made.id)).status).toBe(404);
    const sibling = (await submit(song.client)).body.id;
    const path = `${pathOf(sibling)}/${made.id}`;
    expect((await song.client.send(path, { method: 'DELETE' })).status).toBe(404);
    expect((await open(made.url)).status).toBe(200);
  });

  it('is deleted with the analysis', async () => {
    const { client, id } = await completeOne();
    const { body } = await client.post<NewShare>(pathOf(id), undefined);
    expect((await open(body.url)).status).toBe(200);
    await client.send(`/v1/analyses/${id}`, { method: 'DELETE' });
    expect((await open(body.url)).status).toBe(404);
    expect(await db.query('select * from analysis_shares where analysis_id = $1', [id])).toEqual([]);
  });
});
