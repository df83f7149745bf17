import type { RequestInput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { formatDay } from '../format.ts';
import { onFormSubmit } from '../on-form-submit.ts';
import { reloadAtHome } from '../reload-at-home.ts';
import { ROLES } from '../roles.ts';
import { RequireRole, useHasRole, useSession } from '../session.tsx';
import { type Question, useConfirm } from '../ui/confirm.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { Status } from '../ui/status.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { loadTeam, type Team } from './team.ts';

type AssignableRole = RequestInput<'updateMemberRole'>['body']['role'];
/** Ownership is transferred, never assigned. */
const ASSIGNABLE_ROLES = ROLES.filter((role) => role !== 'owner') satisfies AssignableRole[];
const ROLE_OPTIONS = ASSIGNABLE_ROLES.map((role) => <option key={role}>{role}</option>);

type Member = Team['members'][number];
type Invitation = Team['invitations'][number];
type ConfirmedChange = Question & { work: () => Promise<unknown> };
/** Runs a change, then reloads the team and the user's own role, which it may have changed. */
type Change = (work: () => Promise<unknown>) => Promise<void>;

export function TeamPage() {
  const [team, reload] = useLoad(loadTeam, 'team');
  const { busy, problem, run } = useAction();
  const session = useSession();
  const change: Change = async (work) => {
    await run(work);
    reload();
    session.reload();
  };
  const invite = onFormSubmit((values, form) => {
    const body = { email: String(values.get('email')), role: values.get('role') as AssignableRole };
    void change(async () => {
      await earshot.request('createInvitation', { body });
      form.reset();
    });
  });
  return (
    <>
      <h1 className="page-head">Team</h1>
      <RequireRole atLeast="admin">
        <form className="card row end" onSubmit={invite}>
          <label>
            Invite by e-mail
            <input name="email" type="email" required />
          </label>
          <label>
            Role
            <select name="role" defaultValue="member">
              {ROLE_OPTIONS}
            </select>
          </label>
          <button type="submit" className="main" disabled={busy}>
            Invite
          </button>
        </form>
      </RequireRole>
      <Problem text={problem} />
      <LoadedView loaded={team} reload={reload}>
        {({ members, invitations }) => (
          <>
            <h2>Members</h2>
            <Members members={members} busy={busy} change={change} />
            <h2>Invitations</h2>
            <Invitations invitations={invitations} busy={busy} change={change} />
          </>
        )}
      </LoadedView>
    </>
  );
}

function Members({ members, busy, change }: { members: Member[]; busy: boolean; change: Change }) {
  const { profile } = useSession();
  const isAdmin = useHasRole('admin');
  const isOwner = useHasRole('owner');
  const confirm = useConfirm();
  const confirmAndChange = async ({ work, ...question }: ConfirmedChange) => {
    if (await confirm(question)) await change(work);
  };
  const isMe = (member: Member) => member.user_id === profile?.user_id;
  const columns: Column<Member>[] = [
    {
      title: 'Address',
      cell: (member) => (
        <>
          {member.email}
          {isMe(member) && <span className="soft"> (you)</span>}
        </>
      ),
    },
    {
      title: 'Role',
      cell: (member) =>
        member.role === 'owner' || !isAdmin ? (
          member.role
        ) : (
          <RoleChoice member={member} busy={busy} change={change} />
        ),
    },
    { title: 'Status', cell: (member) => <Status value={member.status} /> },
    {
      title: 'Actions',
      titleHidden: true,
      cell: (member) =>
        member.role !== 'owner' && (
          <span className="row">
            {isOwner && (
              <button
                type="button"
                disabled={busy}
                onClick={() =>
                  void confirmAndChange({
                    title: `Make ${member.email} the owner?`,
                    text: 'You stay as an admin. Only the new owner can give ownership back.',
                    action: 'Make owner',
                    work: () => earshot.request('transferOwnership', { params: { user_id: member.user_id } }),
                  })
                }
              >
                Make owner
              </button>
            )}
            {(isAdmin || isMe(member)) && (
              <button
                type="button"
                className="danger"
                disabled={busy}
                onClick={() => void confirmAndChange(isMe(member) ? leaving(member) : removing(member))}
              >
                {isMe(member) ? 'Leave' : 'Remove'}
              </button>
            )}
          </span>
        ),
    },
  ];
  return (
    <DataTable
      label="Members"
      columns={columns}
      rows={members}
      rowKey={(member) => member.user_id}
      empty="No members."
    />
  );
}

const removing = ({ user_id, email }: Member) => ({
  title: `Remove ${email}?`,
  text: 'Their keys stop working at once, and they lose access to this workspace.',
  action: 'Remove',
  work: () => earshot.request('removeMember', { params: { user_id } }),
});

const leaving = ({ user_id }: Member) => ({
  title: 'Leave this workspace?',
  text: 'Your keys stop working at once, and you lose access to it.',
  action: 'Leave',
  work: async () => {
    await earshot.request('removeMember', { params: { user_id } });
    reloadAtHome();
  },
});

function RoleChoice({ member, busy, change }: { member: Member; busy: boolean; change: Change }) {
  return (
    <select
      aria-label={`Role of ${member.email}`}
      value={member.role}
      disabled={busy}
      onChange={(event) => {
        const role = event.target.value as AssignableRole;
        void change(() =>
          earshot.request('updateMemberRole', { params: { user_id: member.user_id }, body: { role } }),
        );
      }}
    >
      {ROLE_OPTIONS}
    </select>
  );
}

function Invitations(props: { invitations: Invitation[]; busy: boolean; change: Change }) {
  const { invitations, busy, change } = props;
  const isAdmin = useHasRole('admin');
  const columns: Column<Invitation>[] = [
    { title: 'Address', cell: (invitation) => invitation.email },
    { title: 'Role', cell: (invitation) => invitation.role },
    { title: 'Status', cell: (invitation) => <Status value={invitation.status} /> },
    { title: 'Expires', cell: (invitation) => formatDay(invitation.expires_at) },
    {
      title: 'Actions',
      titleHidden: true,
      cell: ({ id, status }) =>
        status === 'pending' &&
        isAdmin && (
          <span className="row">
            {/* For installations that send no e-mail, or when it is late: the same link as in the message. */}
            <CopyButton text={`${window.location.origin}/invitations/${id}`} label="Copy link" />
            <button
              type="button"
              className="danger"
              disabled={busy}
              onClick={() =>
                void change(() => earshot.request('revokeInvitation', { params: { invitation_id: id } }))
              }
            >
              Revoke
            </button>
          </span>
        ),
    },
  ];
  return (
    <DataTable
      label="Invitations"
      columns={columns}
      rows={invitations}
      rowKey={(invitation) => invitation.id}
      empty="No invitations."
    />
  );
}
