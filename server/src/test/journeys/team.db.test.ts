import { expect, it } from 'vitest';
import { signIn, startJourneyService } from './journey-service.ts';

/** A team whose ownership is transferred. */

const service = await startJourneyService();
type Team = {
  members: { user_id: string; email: string; role: string; status: string }[];
  invitations: { status: string }[];
};

it('invites, accepts at sign-in, promotes, transfers and leaves', async () => {
  const ada = await signIn(service.client, service.url, 'ada@example.com');
  const invitation = await ada.client.post<{ status: string; role: string }>('/v1/account/team/invitations', {
    email: 'Bo@Example.com',
  });
  expect(invitation.body).toMatchObject({ status: 'pending', role: 'member' });

  const bo = await signIn(service.client, service.url, 'bo@example.com');
  const team = await ada.client.get<Team>('/v1/account/team');
  expect(team.body.members.map(({ email, role }) => [email, role]).sort()).toEqual([
    ['ada@example.com', 'owner'],
    ['bo@example.com', 'member'],
  ]);
  expect(team.body.invitations[0]).toMatchObject({ status: 'accepted' });

  const switched = await bo.client.post(`/v1/account/workspaces/${ada.workspace_id}/session`);
  expect(switched.body).toMatchObject({ workspace_id: ada.workspace_id, workspace_role: 'member' });
  expect((await bo.client.post('/v1/account/team/invitations', { email: 'c@example.com' })).status).toBe(403);

  const promoted = await ada.client.send(`/v1/account/team/members/${bo.user_id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ role: 'admin' }),
  });
  expect(promoted.body).toMatchObject({ updated: true, member: { user_id: bo.user_id, role: 'admin' } });
  expect((await bo.client.post('/v1/account/team/invitations', { email: 'c@example.com' })).status).toBe(201);

  const leave = (client: typeof ada.client, userId: string) =>
    client.send(`/v1/account/team/members/${userId}`, { method: 'DELETE' });
  expect((await leave(ada.client, ada.user_id)).status).toBe(409);
  const transfer = await ada.client.post(`/v1/account/team/members/${bo.user_id}/transfer-ownership`);
  expect(transfer.body).toMatchObject({
    transferred: true,
    owner: { user_id: bo.user_id, role: 'owner' },
    previous_owner: { user_id: ada.user_id, role: 'admin' },
  });
  expect((await leave(ada.client, ada.user_id)).body).toEqual({ removed: true });
  const left = await bo.client.get<Team>('/v1/account/team');
  expect(left.body.members.filter(({ status }) => status === 'active').map(({ email }) => email)).toEqual([
    'bo@example.com',
  ]);
});
