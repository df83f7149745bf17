import { useEffect, useState } from 'react';
import { earshot } from '../api.ts';
import { formatBytes } from '../format.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { useToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { loadWorkspaces, type WorkspaceList } from '../workspaces.ts';
import { type RetentionSettings, retentionWarning } from './retention-warning.ts';

const OFFERED_DAYS = [7, 30, 90, 365];

type Workspace = WorkspaceList['workspaces'][number];

/** How long the workspace keeps audio and results: every member sees it, only the owner can change it. */
export function Retention({ mayChange }: { mayChange: boolean }) {
  const [state, reload] = useLoad(async () => {
    const [workspace, usage] = await Promise.all([loadWorkspace(), earshot.request('getUsage', {})]);
    if (!('storage' in usage)) throw new Error('The service sent an unexpected response.');
    return { workspace, storage: usage.storage };
  }, 'retention');
  return (
    <>
      <h2>Retention</h2>
      <LoadedView loaded={state} reload={reload}>
        {({ workspace, storage }) => (
          <section className="card stack">
            <p>
              {formatBytes(storage.used_bytes)} of {formatBytes(storage.limit_bytes)} of audio stored.
            </p>
            <RetentionChoices workspace={workspace} mayChange={mayChange} onChanged={reload} />
          </section>
        )}
      </LoadedView>
    </>
  );
}

function RetentionChoices(props: { workspace: Workspace; mayChange: boolean; onChanged: () => void }) {
  const { workspace, mayChange, onChanged } = props;
  const { busy, problem, run } = useAction();
  const confirm = useConfirm();
  const showToast = useToast();
  // A choice is shown at once, until the settings have been loaded again.
  const [chosen, setChosen] = useState<Partial<RetentionSettings>>({});
  useEffect(() => setChosen({}), [workspace]);
  const shown = { ...workspace, ...chosen };
  const change = async (next: Partial<RetentionSettings>) => {
    setChosen(next);
    await run(async () => {
      // The settings may have been changed elsewhere since this page was opened.
      const text = retentionWarning(await loadWorkspace(), next);
      if (text !== null && !(await confirm({ title: 'Delete sooner?', text, action: 'Change' })))
        return setChosen({});
      const params = { workspace_id: workspace.workspace_id };
      await earshot.request('updateWorkspace', { params, body: next });
      showToast('Retention changed.');
    });
    onChanged();
  };
  const changeAudio = (value: string) =>
    change({
      retain_source: /^\d+$/.test(value) ? Number(value) : (value as 'as_asked' | 'never' | 'forever'),
    });
  const changeResults = (value: string) => change({ retention_days: value === '' ? null : Number(value) });
  const disabled = !mayChange || busy;
  return (
    <>
      <label>
        Keep audio
        <select
          value={String(shown.retain_source)}
          disabled={disabled}
          onChange={(event) => void changeAudio(event.target.value)}
        >
          <option value="as_asked">As each upload requests; this dashboard requests to keep it</option>
          <option value="never">Never</option>
          {daysWith(shown.retain_source).map((days) => (
            <option key={days} value={days}>
              {formatDays(days)} after the analysis
            </option>
          ))}
          <option value="forever">Until deleted</option>
        </select>
      </label>
      <label>
        Keep songs and results
        <select
          value={String(shown.retention_days ?? '')}
          disabled={disabled}
          onChange={(event) => void changeResults(event.target.value)}
        >
          <option value="">Until deleted</option>
          {daysWith(shown.retention_days).map((days) => (
            <option key={days} value={days}>
              {formatDays(days)}
            </option>
          ))}
        </select>
      </label>
      {!mayChange && <p className="soft small">The owner of the workspace can change this.</p>}
      <Problem text={problem} />
    </>
  );
}

async function loadWorkspace(): Promise<Workspace> {
  const workspace = (await loadWorkspaces()).workspaces.find(({ current }) => current);
  if (!workspace) throw new Error('The service sent an unexpected response.');
  return workspace;
}

const formatDays = (days: number) => (days === 1 ? '1 day' : `${days} days`);

/** The offered numbers of days and the current one, which the API may have set to any other. */
function daysWith(current: string | number | null): number[] {
  const days = typeof current === 'number' ? [...OFFERED_DAYS, current] : OFFERED_DAYS;
  return [...new Set(days)].sort((a, b) => a - b);
}
