import { describe, expect, it } from 'vitest';
import { sweepOldAnalyses } from '../analyses/retention.ts';
import { newId } from '../platform/ids.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, type SignedIn, signIn } from '../test/test-app.ts';

/** The retention of analyses that the owner of a workspace sets. */
const { db } = await createTestDatabase();
const app = await buildTestApp(db);

const set = (person: SignedIn, workspaceId: string, retention_days: unknown) =>
  app.call('PATCH', `/v1/account/workspaces/${workspaceId}`, {
    headers: person.headers,
    body: { retention_days },
  });

async function addEnded({ workspaceId }: SignedIn, daysAgo: number): Promise<string> {
  const id = newId('job');
  await db.query(
    `insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind, completed_at)
     values ($1, $2, 'key', 'completed', 'url', 'https://example.com', 'user', now() - make_interval(days => $3))`,
    [id, workspaceId, daysAgo],
  );
  return id;
}

const kept = async (ids: string[]) =>
  (
    await db.query<{ id: string }>('select id from analyses where id = any($1) and deleted_at is null', [ids])
  ).map(({ id }) => id);

describe('retention of a workspace', () => {
  it('erases analyses that ended longer ago, only in that workspace', async () => {
    const [owner, other] = [await signIn(app), await signIn(app)];
    const answer = await set(owner, owner.workspaceId, 30);
    expect(answer).toMatchObject({ status: 200, body: { retention_days: 30, current: true } });
    const [old, recent, foreign] = [
      await addEnded(owner, 31),
      await addEnded(owner, 29),
      await addEnded(other, 400),
    ];
    expect(await sweepOldAnalyses(app.deps)).toBe(1);
    expect((await kept([old, recent, foreign])).sort()).toEqual([recent, foreign].sort());
  });

  it('cannot be longer than the operator keeps analyses', async () => {
    const owner = await signIn(app);
    await set(owner, owner.workspaceId, 365);
    const ids = [await addEnded(owner, 100), await addEnded(owner, 5)];
    const retention = { ...app.deps.config.retention, analysisDays: 90 };
    await sweepOldAnalyses({ ...app.deps, config: { ...app.deps.config, retention } });
    expect(await kept(ids)).toEqual([ids[1]]);
  });

  it('is in the list of workspaces, is removed with null, and writes an audit event for each change', async () => {
    const owner = await signIn(app);
    const shown = async () =>
      (await app.call('GET', '/v1/account/workspaces', { headers: owner.headers })).body.workspaces[0]
        .retention_days;
    expect(await shown()).toBeNull();
    await set(owner, owner.workspaceId, 7);
    expect(await shown()).toBe(7);
    await set(owner, owner.workspaceId, null);
    expect(await shown()).toBeNull();
    const { body } = await app.call('GET', '/v1/audit-events', { headers: owner.headers });
    const changes = body.filter(({ action }: { action: string }) => action === 'workspace.set_retention');
    expect(changes.map(({ metadata }: { metadata: unknown }) => metadata)).toEqual([
      { from: 7, to: null },
      { from: null, to: 7 },
    ]);
  });

  // Allowed are whole numbers of days from 1 to a hundred years, 36,500.
  it.each([0, -1, 1.5, 36_501, '30', undefined])('refuses %s', async (days) => {
    const owner = await signIn(app);
    expect((await set(owner, owner.workspaceId, days)).status).toBe(422);
  });

  it('of another workspace is 404', async () => {
    const [owner, other] = [await signIn(app), await signIn(app)];
    expect((await set(owner, other.workspaceId, 1)).status).toBe(404);
  });
});
