import type { RequestOutput } from '@earshot/sdk';
import { earshot } from './api.ts';
import { readAllPages } from './list-all.ts';
import { reloadAtHome } from './reload-at-home.ts';
import { PAGE_ITEMS_MAX } from './service-limits.ts';

export type WorkspaceList = RequestOutput<'listWorkspaces'>;

export async function enterWorkspace(workspace_id: string): Promise<void> {
  await earshot.request('switchWorkspace', { params: { workspace_id } });
  reloadAtHome();
}

/** All of the user's workspaces; `set_aside` is the same on every page of the list. */
export async function loadWorkspaces(): Promise<WorkspaceList> {
  const workspaces: WorkspaceList['workspaces'] = [];
  for (;;) {
    const after = workspaces.at(-1)?.workspace_id;
    const page = await earshot.request('listWorkspaces', { query: { limit: PAGE_ITEMS_MAX, after } });
    workspaces.push(...page.workspaces);
    if (page.workspaces.length < PAGE_ITEMS_MAX) return { ...page, workspaces };
  }
}

/** Every open invitation to the user's e-mail address. */
export function loadReceivedInvitations() {
  return readAllPages(
    async (query) => (await earshot.request('listReceivedInvitations', { query })).invitations,
  );
}
