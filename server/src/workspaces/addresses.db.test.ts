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

it('finds the address of the owner, unless they turned this kind of mail off', async () => {
  expect(await findOwnerAddress(db, 'ws_1', 'analysis_complete')).toBe('owner@example.com');
  expect(await findOwnerAddress(db, 'ws_1', 'billing_updates')).toBeNull();
  expect(await findOwnerAddress(db, 'ws_1', null)).toBe('owner@example.com');
});

it('finds the address of a member, but not of one who has left or never belonged to the workspace', async () => {
  const find = (userId: string, workspaceId: string) =>
    findMemberAddress(db, { userId, workspaceId }, 'analysis_complete');
  expect(await find('usr_member', 'ws_1')).toBe('member@example.com');
  expect(await find('usr_gone', 'ws_1')).toBeNull();
  expect(await find('usr_member', 'ws_2')).toBeNull();
});

it('without an owner, findOwnerAddress returns null and getOwnerAddress throws', async () => {
  expect(await findOwnerAddress(db, 'ws_2', null)).toBeNull();
  await expect(getOwnerAddress(db, 'ws_2')).rejects.toThrow('Workspace ws_2 has no owner');
  expect(await getOwnerAddress(db, 'ws_1')).toBe('owner@example.com');
});
