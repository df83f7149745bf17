import { useState } from 'react';
import { earshot } from '../api.ts';
import { onFormSubmit } from '../on-form-submit.ts';
import { reloadAtHome } from '../reload-at-home.ts';
import { WORKSPACE_NAME_CHARACTERS_MAX } from '../service-limits.ts';
import { type Profile, useHasRole, useSession } from '../session.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { type Loaded, useLoad } from '../use-load.ts';
import { enterWorkspace, loadWorkspaces, type WorkspaceList } from '../workspaces.ts';
import { ReceivedInvitations } from './received-invitations.tsx';
import { Retention } from './retention.tsx';

const PREFERENCES = [
  ['analysis_complete', 'When an analysis is done'],
  ['billing_updates', 'About payments and plans'],
  ['product_updates', 'What is new in Earshot'],
] as const;

export function ProfilePage() {
  const { profile, reload } = useSession();
  const [workspaces, reloadWorkspaces] = useLoad(loadWorkspaces, 'workspaces');
  const isOwner = useHasRole('owner');
  if (!profile) return null;
  return (
    <div className="settings">
      <h1 className="page-head">Profile and data</h1>
      <ProfileForm profile={profile} onSaved={reload} />
      <ReceivedInvitations
        onAccepted={() => {
          reload();
          reloadWorkspaces();
        }}
      />
      <Workspaces loaded={workspaces} reload={reloadWorkspaces} />
      <Retention key={profile.workspace_id} mayChange={isOwner} />
      {isOwner && <WorkspaceData profile={profile} />}
    </div>
  );
}

function ProfileForm({ profile, onSaved }: { profile: Profile; onSaved: () => void }) {
  const { busy, problem, run } = useAction();
  const mayRename = useHasRole('admin');
  const save = onFormSubmit((values) => {
    const notification_preferences = {
      analysis_complete: values.has('analysis_complete'),
      billing_updates: values.has('billing_updates'),
      product_updates: values.has('product_updates'),
    };
    const name = values.get('workspace_name');
    // Sent only when edited: after entering another workspace in a second tab, saving here would rename that one.
    const workspace = mayRename && name !== profile.workspace_name ? { workspace_name: String(name) } : {};
    void run(() =>
      earshot.request('updateProfile', { body: { notification_preferences, ...workspace } }),
    ).then(onSaved);
  });
  return (
    <form className="card" onSubmit={save}>
      <p>
        {profile.email} · {profile.workspace_role} of {profile.workspace_name}
      </p>
      {mayRename && (
        <label>
          Name of the workspace
          <input
            name="workspace_name"
            defaultValue={profile.workspace_name}
            required
            maxLength={WORKSPACE_NAME_CHARACTERS_MAX}
          />
        </label>
      )}
      <fieldset className="choices">
        <legend>Mail me</legend>
        {PREFERENCES.map(([name, text]) => (
          <label key={name} className="choice">
            <input type="checkbox" name={name} defaultChecked={profile.notification_preferences[name]} />{' '}
            {text}
          </label>
        ))}
      </fieldset>
      <p>
        <button type="submit" className="main" disabled={busy}>
          Save
        </button>
      </p>
      <Problem text={problem} />
    </form>
  );
}

function Workspaces({ loaded, reload }: { loaded: Loaded<WorkspaceList>; reload: () => void }) {
  const { busy, problem, run } = useAction();
  return (
    <>
      <h2>Workspaces</h2>
      <LoadedView loaded={loaded} reload={reload}>
        {(answer) => (
          <ul className="plain">
            {answer.workspaces.map((workspace) => (
              <li key={workspace.workspace_id} className="card spread">
                <span>
                  {workspace.workspace_name} <span className="soft">{workspace.role}</span>
                </span>
                {workspace.current ? (
                  <span className="soft">current</span>
                ) : (
                  <button
                    type="button"
                    disabled={busy}
                    aria-label={`Enter ${workspace.workspace_name}`}
                    onClick={() => void run(() => enterWorkspace(workspace.workspace_id))}
                  >
                    Enter
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </LoadedView>
      <Problem text={problem} />
    </>
  );
}

function WorkspaceData({ profile }: { profile: Profile }) {
  const { workspace_id, workspace_name } = profile;
  const { busy, problem, run } = useAction();
  const [typed, setTyped] = useState('');
  const deleteAll = onFormSubmit(
    () =>
      void run(async () => {
        await earshot.request('deleteWorkspace', { params: { workspace_id }, query: { confirm: typed } });
        reloadAtHome();
      }),
  );
  return (
    <>
      <h2>Data</h2>
      <section className="card stack">
        <p>
          <a className="button" href={`/v1/account/workspaces/${workspace_id}/export`} download>
            Download everything
          </a>{' '}
          <span className="soft">
            Songs with their results, corrections, crates, members and log, as JSON lines.
          </span>
        </p>
        <form className="row end" onSubmit={deleteAll}>
          <label className="grow">
            To delete the workspace with all songs, keys and members, type its name
            <input
              value={typed}
              placeholder={workspace_name}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          </label>
          <button type="submit" className="danger" disabled={busy || typed !== workspace_name}>
            Delete the workspace
          </button>
        </form>
        <Problem text={problem} />
      </section>
    </>
  );
}
