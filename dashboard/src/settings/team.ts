import type { RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { PAGE_ITEMS_MAX } from '../service-limits.ts';

export type Team = RequestOutput<'getTeam'>;

/** All members and all invitations: one request reads a page of each list, after its own cursor. */
export async function loadTeam(): Promise<Team> {
  const team: Team = { members: [], invitations: [] };
  for (;;) {
    const after = team.members.at(-1)?.user_id;
    const invitations_after = team.invitations.at(-1)?.id;
    const page = await earshot.request('getTeam', {
      query: { limit: PAGE_ITEMS_MAX, after, invitations_after },
    });
    team.members.push(...page.members);
    team.invitations.push(...page.invitations);
    if (page.members.length < PAGE_ITEMS_MAX && page.invitations.length < PAGE_ITEMS_MAX) return team;
  }
}
