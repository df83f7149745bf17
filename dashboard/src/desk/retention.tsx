import { useState } from 'react';
import { earshot } from '../api.ts';
import { formatBytes } from '../format.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { useTell } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { loadWorkspaces } from '../workspaces.ts';

const DAYS = [7, 30, 90, 365] as const;
const FOR_EVER_DAYS = Number.POSITIVE_INFINITY;

type Kept = { retain_source: 'as_asked' | 'never' | 'forever' | number; retention_days: number | null };

/** How long the workspace keeps audio and results: everybody sees it, its owner decides. */
export function Retention({ mayChange }: { mayChange: boolean }) {
  const [state, reload] = useLoad(async () => {
    const [{ workspaces }, usage] = await Promise.all([loadWorkspaces(), earshot.request('getUsage', {})]);
    const workspace = workspaces.find(({ current }) => current);
    if (!workspace || !('storage' in usage)) throw new Error('The service answered in another shape.');
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
            <Choices
              workspaceId={workspace.workspace_id}
              kept={workspace}
              mayChange={mayChange}
              onChanged={reload}
            />
          </section>
        )}
      </LoadedView>
    </>
  );
}

function Choices(props: { workspaceId: string; kept: Kept; mayChange: boolean; onChanged: () => void }) {
  const { workspaceId, kept, mayChange, onChanged } = props;
  const { busy, problem, run } = useAction();
  const confirm = useConfirm();
  const tell = useTell();
  // What is chosen shows at once, and goes back when it was not meant.
  const [shown, setShown] = useState(kept);
  const change = async (next: Partial<Kept>, question: string | null) => {
    const before = shown;
    setShown({ ...before, ...next });
    const yes =
      question === null || (await confirm({ title: 'Delete sooner?', text: question, action: 'Change' }));
    const done =
      yes &&
      (await run(() =>
        earshot.request('updateWorkspace', { params: { workspace_id: workspaceId }, body: next }),
      ));
    if (!done) setShown(before);
    else {
      tell('Retention changed.');
      onChanged();
    }
  };
  const changeAudio = (value: string) => {
    const retain_source = /^\d+$/.test(value) ? Number(value) : (value as 'as_asked' | 'never' | 'forever');
    const sooner = daysOfAudio(retain_source) < daysOfAudio(shown.retain_source);
    const text =
      'Audio that is older than this is deleted within minutes. Those songs keep their results, but can no longer be played or analysed again.';
    void change({ retain_source }, sooner ? text : null);
  };
  const changeResults = (value: string) => {
    const retention_days = value === '' ? null : Number(value);
    const sooner = (retention_days ?? FOR_EVER_DAYS) < (shown.retention_days ?? FOR_EVER_DAYS);
    const text =
      'Songs that were analysed longer ago are deleted within minutes: results, corrections, shared links and audio. This cannot be undone.';
    void change({ retention_days }, sooner ? text : null);
  };
  const disabled = !mayChange || busy;
  return (
    <>
      <label>
        Keep audio
        <select
          value={String(shown.retain_source)}
          disabled={disabled}
          onChange={(event) => changeAudio(event.target.value)}
        >
          <option value="as_asked">As each upload asks; this page keeps it</option>
          <option value="never">Never</option>
          {daysWith(shown.retain_source).map((days) => (
            <option key={days} value={days}>
              {days} days after the analysis
            </option>
          ))}
          <option value="forever">Until somebody deletes it</option>
        </select>
      </label>
      <label>
        Keep songs and results
        <select
          value={String(shown.retention_days ?? '')}
          disabled={disabled}
          onChange={(event) => changeResults(event.target.value)}
        >
          <option value="">Until somebody deletes them</option>
          {daysWith(shown.retention_days).map((days) => (
            <option key={days} value={days}>
              {days} days
            </option>
          ))}
        </select>
      </label>
      {!mayChange && <p className="soft small">The owner of the workspace can change this.</p>}
      <Problem text={problem} />
    </>
  );
}

/** The usual numbers of days, and the one that somebody set by the API. */
function daysWith(own: string | number | null): number[] {
  const days = typeof own === 'number' ? [...DAYS, own] : [...DAYS];
  return [...new Set(days)].sort((a, b) => a - b);
}

/** For telling whether a change deletes something: what was kept as asked may have been kept for ever. */
function daysOfAudio(kept: Kept['retain_source']): number {
  if (kept === 'never') return 0;
  return typeof kept === 'number' ? kept : FOR_EVER_DAYS;
}
