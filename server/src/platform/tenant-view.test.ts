import { expect, it, vi } from 'vitest';
import type { Database, Transaction } from './postgres.ts';
import { createTenantViews } from './tenant-view.ts';

/** Views of a database that answers what its role is; collects the openings of their transactions. */
function createViews(answer: () => Promise<{ bypasses: boolean; role_exists: boolean }>) {
  const openings: string[] = [];
  const forTenant = createTenantViews(
    () => ({ one: answer }) as unknown as Database,
    (opening, work) => {
      openings.push(opening);
      return work({} as Transaction);
    },
    () => ({}) as Database,
  );
  return { openings, begin: (workspaceId: string) => forTenant(workspaceId).transaction(async () => {}) };
}

it('asks once for all views which role the connections have, and again only after a failure', async () => {
  const answer = vi.fn(async () => ({ bypasses: true, role_exists: true }));
  answer.mockRejectedValueOnce(new Error('unreachable'));
  const { openings, begin } = createViews(answer);
  await expect(begin('ws_a')).rejects.toThrow('unreachable');
  for (const workspaceId of ['ws_a', 'ws_b', 'ws_a']) await begin(workspaceId);
  expect(answer).toHaveBeenCalledTimes(2);
  expect(openings).toEqual(
    ['ws_a', 'ws_b', 'ws_a'].map(
      (workspaceId) => `begin; set local earshot.tenant = '${workspaceId}'; set local role earshot_tenant`,
    ),
  );
});

it.each([
  ['is subject to row security itself', { bypasses: false, role_exists: true }],
  ['has no other to assume', { bypasses: true, role_exists: false }],
])('keeps the role of a connection that %s', async (_, role) => {
  const { openings, begin } = createViews(async () => role);
  await begin('ws_a');
  expect(openings).toEqual([`begin; set local earshot.tenant = 'ws_a'`]);
});
