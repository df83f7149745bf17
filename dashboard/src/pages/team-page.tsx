import type { FormEvent } from 'react';
import { earshot } from '../api.ts';
import { LoadedView } from '../parts/loaded-view.tsx';
import { useSession } from '../session.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';

const ROLES = ['viewer', 'member', 'admin'] as const;

export function TeamPage() {
  const [team, reload] = useLoad(() => earshot.request('getTeam', {}), 'team');
  const { profile } = useSession();
  const { busy, problem, run } = useAction();
  const change = (work: () => Promise<unknown>) => void run(work).then(reload);
  const invite = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const role = ROLES.find((name) => name === form.get('role')) ?? 'member';
    event.currentTarget.reset();
    change(() => earshot.request('createInvitation', { body: { email: String(form.get('email')), role } }));
  };
  return (
    <>
      <h1>Team</h1>
      <form className="card row" onSubmit={invite}>
        <label>
          Invite by e-mail
          <input name="email" type="email" required />
        </label>
        <label>
          as
          <select name="role" defaultValue="member">
            {ROLES.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        </label>
        <button type="submit" className="main" disabled={busy}>
          Invite
        </button>
      </form>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      <LoadedView loaded={team} reload={reload}>
        {({ members, invitations }) => (
          <>
            <h2>Members</h2>
            <div className="scroll-x">
              <table>
                <thead>
                  <tr>
                    <th>Address</th>
                    <th>Role</th>
                    <th>Status</th>
                    <th>
                      <span className="visually-hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {members.map((member) => (
                    <tr key={member.user_id}>
                      <td>
                        {member.email}
                        {member.user_id === profile?.user_id && <span className="soft"> (you)</span>}
                      </td>
                      <td>
                        {member.role === 'owner' ? (
                          'owner'
                        ) : (
                          <select
                            aria-label={`Role of ${member.email}`}
                            value={member.role}
                            disabled={busy}
                            onChange={(event) => {
                              const role = ROLES.find((name) => name === event.target.value) ?? 'member';
                              change(() =>
                                earshot.request('updateMemberRole', {
                                  params: { user_id: member.user_id },
                                  body: { role },
                                }),
                              );
                            }}
                          >
                            {ROLES.map((role) => (
                              <option key={role}>{role}</option>
                            ))}
                          </select>
                        )}
                      </td>
                      <td>
                        <span className="status" data-status={member.status}>
                          {member.status}
                        </span>
                      </td>
                      <td>
                        {member.role !== 'owner' && (
                          <span className="row">
                            {profile?.workspace_role === 'owner' && (
                              <button
                                type="button"
                                disabled={busy}
                                onClick={() =>
                                  change(() =>
                                    earshot.request('transferOwnership', {
                                      params: { user_id: member.user_id },
                                    }),
                                  )
                                }
                              >
                                Make owner
                              </button>
                            )}
                            <button
                              type="button"
                              className="danger"
                              disabled={busy}
                              onClick={() =>
                                change(() =>
                                  earshot.request('removeMember', { params: { user_id: member.user_id } }),
                                )
                              }
                            >
                              {member.user_id === profile?.user_id ? 'Leave' : 'Remove'}
                            </button>
                          </span>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <h2>Invitations</h2>
            {invitations.length === 0 && <p className="soft">None.</p>}
            <div className="scroll-x">
              <table>
                <tbody>
                  {invitations.map((invitation) => (
                    <tr key={invitation.id}>
                      <td>{invitation.email}</td>
                      <td>{invitation.role}</td>
                      <td>
                        <span className="status" data-status={invitation.status}>
                          {invitation.status}
                        </span>
                      </td>
                      <td>until {new Date(invitation.expires_at).toLocaleDateString()}</td>
                      <td>
                        {invitation.status === 'pending' && (
                          <button
                            type="button"
                            className="danger"
                            disabled={busy}
                            onClick={() =>
                              change(() =>
                                earshot.request('revokeInvitation', {
                                  params: { invitation_id: invitation.id },
                                }),
                              )
                            }
                          >
                            Revoke
                          </button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </LoadedView>
    </>
  );
}
