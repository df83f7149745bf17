import { earshot } from '../api.ts';
import { formatDay } from '../format.ts';
import { Failed } from '../ui/failed.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { loadReceivedInvitations } from '../workspaces.ts';

/** Open invitations to the user's e-mail address; nothing, not even a heading, when there are none. */
export function ReceivedInvitations({ onAccepted }: { onAccepted: () => void }) {
  const [loaded, reload] = useLoad(loadReceivedInvitations, 'received-invitations');
  const { busy, problem, run } = useAction();
  if (loaded.state === 'failed') return <Failed error={loaded.error} reload={reload} />;
  // After a failed join the list may be empty, but the reason must still be shown.
  if (loaded.state === 'loading' || loaded.value.length === 0) return <Problem text={problem} />;
  const respond = (operation: 'acceptInvitation' | 'declineInvitation', invitation_id: string) =>
    void run(() => earshot.request(operation, { params: { invitation_id } })).then((succeeded) => {
      reload();
      if (succeeded && operation === 'acceptInvitation') onAccepted();
    });
  return (
    <section aria-labelledby="received-invitations">
      <h2 id="received-invitations">You are invited</h2>
      <ul className="plain">
        {loaded.value.map(({ id, workspace_name, role, expires_at }) => (
          <li key={id} className="card spread">
            <span>
              {workspace_name}{' '}
              <span className="soft">
                as {role}, until {formatDay(expires_at)}
              </span>
            </span>
            <span className="row">
              <button
                type="button"
                className="main"
                disabled={busy}
                aria-label={`Join ${workspace_name}`}
                onClick={() => respond('acceptInvitation', id)}
              >
                Join
              </button>
              <button
                type="button"
                disabled={busy}
                aria-label={`Decline ${workspace_name}`}
                onClick={() => respond('declineInvitation', id)}
              >
                Decline
              </button>
            </span>
          </li>
        ))}
      </ul>
      <Problem text={problem} />
    </section>
  );
}
