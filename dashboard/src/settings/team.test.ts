import { afterEach, beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => {
  // api.ts reads the origin; nothing else of a browser is needed.
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
});
afterEach(() => vi.unstubAllGlobals());

it.each([
  [1, 0],
  [100, 3],
  [101, 250],
  [250, 100],
])('loads all of %i members and %i invitations', async (memberCount, invitationCount) => {
  const members = Array.from({ length: memberCount }, (_, index) => ({ user_id: `usr_${index}` }));
  const invitations = Array.from({ length: invitationCount }, (_, index) => ({ id: `inv_${index}` }));
  vi.stubGlobal('fetch', async ({ searchParams }: URL) => {
    const limit = Number(searchParams.get('limit'));
    const firstIndexAfter = (cursor: string, ids: string[]) =>
      ids.indexOf(searchParams.get(cursor) ?? '') + 1;
    const memberIndex = firstIndexAfter(
      'after',
      members.map(({ user_id }) => user_id),
    );
    const invitationIndex = firstIndexAfter(
      'invitations_after',
      invitations.map(({ id }) => id),
    );
    return Response.json({
      members: members.slice(memberIndex, memberIndex + limit),
      invitations: invitations.slice(invitationIndex, invitationIndex + limit),
    });
  });
  const { loadTeam } = await import('./team.ts');
  expect(await loadTeam()).toEqual({ members, invitations });
});
