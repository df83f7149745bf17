import { earshot } from '../api.ts';
import type { Profile } from '../session.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { Problem } from './problem.tsx';

/** The workspace one is in, and the way into another. */
export function WorkspaceChoice({ profile }: { profile: Profile }) {
  const [answer] = useLoad(() => earshot.request('listWorkspaces', {}), profile.workspace_id);
  const { busy, problem, run } = useAction();
  const workspaces = answer.state === 'ready' ? answer.value.workspaces : [];
  if (workspaces.length < 2) return <span>{profile.workspace_name}</span>;
  const enter = (workspaceId: string) =>
    void run(async () => {
      await earshot.request('switchWorkspace', { params: { workspace_id: workspaceId } });
      // A new page: nothing of the other workspace stays in memory.
      window.location.assign('/');
    });
  return (
    <>
      <label>
        Workspace
        <select value={profile.workspace_id} disabled={busy} onChange={(event) => enter(event.target.value)}>
          {workspaces.map((workspace) => (
            <option key={workspace.workspace_id} value={workspace.workspace_id}>
              {workspace.workspace_name}
            </option>
          ))}
        </select>
      </label>
      <Problem text={problem} />
    </>
  );
}
