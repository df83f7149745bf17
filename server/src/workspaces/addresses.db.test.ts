import { expect, it } from 'vitest';
import { createTestDatabase } from '../test/database.ts';
import { findMemberAddress, findOwnerAddress, getOwnerAddress } from './addresses.ts';

const { db } = await createTestDatabase();

await db.query(`insert into workspaces (id, name) values ('ws_1', 'One'), ('ws_2', 'Two')`);
await db.query(
  `insert into users (id, email, notification_preferences) values
     ('usr_owner', 'owner@example.com', '{"billing_updates": false}'),
     ('usr_member', 'member@example.com', '{"analysis_complete": true}'),
     ('usr_gone', 'gone@example.com', '{}')`,
);
await db.query(
  `insert into memberships (workspace_id, user_id, role, status) values
     ('ws_1', 'usr_owner', 'owner', 'active'), ('ws_1', 'usr_member', 'member', 'active'),
     ('ws_1', 'usr_gone', 'member', 'removed'), ('ws_2', 'usr_gone', 'owner', 'removed')`,
);

it('finds the owner, unless they turned this kind of mail off', async () => {
  expect(await findOwnerAddress(db, 'ws_1', 'analysis_complete')).toBe('owner@example.com');
  expect(await findOwnerAddress(db, 'ws_1', 'billing_updates')).toBeNull();
  expect(await findOwnerAddress(db, 'ws_1', null)).toBe('owner@example.com');
});

it('finds a member of the workspace, and nobody who has left or is of another', async () => {
  const find = (userId: string, workspaceId: string) =>
    findMemberAddress(db, { userId, workspaceId }, 'analysis_complete');
  expect(await find('usr_member', 'ws_1')).toBe('member@example.com');
  expect(await find('usr_gone', 'ws_1')).toBeNull();
  expect(await find('usr_member', 'ws_2')).toBeNull();
});

it('finds no owner who has left, and says so where there has to be one', async () => {
  expect(await findOwnerAddress(db, 'ws_2', null)).toBeNull();
  await expect(getOwnerAddress(db, 'ws_2')).rejects.toThrow('Workspace ws_2 has no owner');
  expect(await getOwnerAddress(db, 'ws_1')).toBe('owner@example.com');
});
