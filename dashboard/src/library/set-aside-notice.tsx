import { earshot } from '../api.ts';
import { formatMoment } from '../format.ts';
import { reloadAtHome } from '../reload-at-home.ts';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { loadWorkspaces } from '../workspaces.ts';

/** Somebody had registered this person's address before they proved it: theirs to take over, if it was them. */
export function SetAsideNotice() {
  const [answer] = useLoad(loadWorkspaces, 'set aside');
  const { busy, problem, run } = useAction();
  const found = answer.state === 'ready' ? answer.value.set_aside : [];
  const claim = (workspaceId: string) =>
    void run(async () => {
      await earshot.request('claimWorkspace', { params: { workspace_id: workspaceId } });
      reloadAtHome();
    });
  return found.map((workspace) => (
    <section key={workspace.workspace_id} className="card" aria-label="Registered before you signed in">
      <h2>Was this you?</h2>
      <p>
        Your address was registered on {formatMoment(workspace.registered_at)}, before anybody had proved that
        it is yours. That account has {counted(workspace.api_keys, 'API key')},{' '}
        {counted(workspace.analyses, 'analysis', 'analyses')} and{' '}
        {counted(workspace.webhook_endpoints, 'webhook endpoint')}. You are not in it, its keys do not work,
        and it is erased on {formatMoment(workspace.erased_at)}.
      </p>
      <button type="button" disabled={busy} onClick={() => claim(workspace.workspace_id)}>
        It was me: take it over
      </button>
      <Problem text={problem} />
    </section>
  ));
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
