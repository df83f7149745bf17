import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  // A page's address, and nothing else of a browser.
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
});
afterEach(() => vi.unstubAllGlobals());

it.each([
  [1, 0],
  [100, 3],
  [101, 250],
  [250, 100],
])('finds all of %i members and %i invitations', async (memberCount, invitationCount) => {
  const members = Array.from({ length: memberCount }, (_, index) => ({ user_id: `usr_${index}` }));
  const invitations = Array.from({ length: invitationCount }, (_, index) => ({ id: `inv_${index}` }));
  vi.stubGlobal('fetch', async ({ searchParams }: URL) => {
    const limit = Number(searchParams.get('limit'));
    const behind = (cursor: string, ids: string[]) => ids.indexOf(searchParams.get(cursor) ?? '') + 1;
    const member = behind(
      'after',
      members.map(({ user_id }) => user_id),
    );
    const invitation = behind(
      'invitations_after',
      invitations.map(({ id }) => id),
    );
    return Response.json({
      members: members.slice(member, member + limit),
      invitations: invitations.slice(invitation, invitation + limit),
    });
  });
  const { loadTeam } = await import('./team.ts');
  expect(await loadTeam()).toEqual({ members, invitations });
});
