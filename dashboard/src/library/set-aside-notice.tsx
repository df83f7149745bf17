import { earshot } from '../api.ts';
import { formatMoment } from '../format.ts';
import { reloadAtHome } from '../reload-at-home.ts';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { loadWorkspaces } from '../workspaces.ts';

/**
 * Offers a workspace that was registered with the user's e-mail address before they verified it, and was therefore set aside: theirs
 * to take over if it was they who registered.
 */
export function SetAsideNotice() {
  const [loaded] = useLoad(loadWorkspaces, 'set aside');
  const { busy, problem, run } = useAction();
  const workspaces = loaded.state === 'ready' ? loaded.value.set_aside : [];
  const claim = (workspaceId: string) =>
    void run(async () => {
      await earshot.request('claimWorkspace', { params: { workspace_id: workspaceId } });
      reloadAtHome();
    });
  return workspaces.map((workspace) => (
    <section key={workspace.workspace_id} className="card" aria-label="Registered before you signed in">
      <h2>Was this you?</h2>
      <p>
        Your address was registered on {formatMoment(workspace.registered_at)}, before the address had been
        verified. That account has {countText(workspace.api_keys, 'API key')},{' '}
        {countText(workspace.analyses, 'analysis', 'analyses')} and{' '}
        {countText(workspace.webhook_endpoints, 'webhook endpoint')}. You are not a member, its keys do not
        work, and it will be deleted on {formatMoment(workspace.erased_at)}.
      </p>
      <button type="button" disabled={busy} onClick={() => claim(workspace.workspace_id)}>
        It was me: take it over
      </button>
      <Problem text={problem} />
    </section>
  ));
}

function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
