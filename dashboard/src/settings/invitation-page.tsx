import { Link } from 'wouter';
import { earshot } from '../api.ts';
import { formatDay } from '../format.ts';
import { type Profile, useSession } from '../session.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { useTitle } from '../use-title.ts';
import { enterWorkspace, loadReceivedInvitations, loadWorkspaces } from '../workspaces.ts';

/** The target of an invitation link: a user signed in with the invited address joins the workspace and enters it. */
export function InvitationPage({ params }: { params: { invitationId: string } }) {
  useTitle('Invitation');
  const { profile } = useSession();
  const [loaded, reload] = useLoad(async () => {
    const [invitations, { workspaces }] = await Promise.all([loadReceivedInvitations(), loadWorkspaces()]);
    return { invitation: invitations.find(({ id }) => id === params.invitationId), workspaces };
  }, params.invitationId);
  const { busy, problem, run } = useAction();
  return (
    <LoadedView loaded={loaded} reload={reload}>
      {({ invitation, workspaces }) =>
        invitation ? (
          <div className="page-state">
            <h1>Join {invitation.workspace_name}</h1>
            <p>
              You are invited as {invitation.role}, until {formatDay(invitation.expires_at)}.
            </p>
            <div className="row">
              <button
                type="button"
                className="main"
                disabled={busy}
                // After a failure the invitation may be revoked or already accepted: reload instead of offering Join again.
                onClick={() =>
                  void run(async () => {
                    const invitation_id = invitation.id;
                    await earshot.request('acceptInvitation', { params: { invitation_id } });
                    await enterWorkspace(invitation.workspace_id);
                  }).then((joined) => joined || reload())
                }
              >
                Join
              </button>
              <Link className="button" href="/">
                Not now
              </Link>
            </div>
            <Problem text={problem} />
          </div>
        ) : (
          <NoOpenInvitation
            profile={profile}
            others={workspaces.filter(({ current }) => !current)}
            busy={busy}
            problem={problem}
            onEnter={(id) => void run(() => enterWorkspace(id))}
          />
        )
      }
    </LoadedView>
  );
}

type Workspace = { workspace_id: string; workspace_name: string; role: string };

/**
 * Shown when the id matches no open invitation. It may be revoked, expired or for another address; but signing in with the invited
 * address accepts an invitation, so the user may be a member already and is offered their other workspaces.
 */
function NoOpenInvitation(props: {
  profile: Profile | null;
  others: Workspace[];
  busy: boolean;
  problem: string | null;
  onEnter: (workspaceId: string) => void;
}) {
  const { profile, others, busy, problem, onEnter } = props;
  return (
    <div className="page-state">
      <h1>{others.length > 0 ? 'Welcome' : 'No such invitation'}</h1>
      {others.length > 0 && <p>You are in {profile?.workspace_name}, and a member of:</p>}
      {others.map(({ workspace_id, workspace_name, role }) => (
        <p key={workspace_id} className="row">
          {workspace_name} <span className="soft">{role}</span>
          <button type="button" className="main" disabled={busy} onClick={() => onEnter(workspace_id)}>
            Enter {workspace_name}
          </button>
        </p>
      ))}
      <p className={others.length > 0 ? 'soft' : undefined}>
        {others.length > 0 ? 'If you followed an invitation to another workspace, it' : 'It'} was answered or
        revoked, has expired, or is for another address than {profile?.email}.
      </p>
      <Problem text={problem} />
      <Link className="button" href="/">
        Go to the library
      </Link>
    </div>
  );
}
