import { useEffect, useState } from 'react';
import { earshot } from '../api.ts';
import { formatBytes } from '../format.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { useToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { loadWorkspaces } from '../workspaces.ts';

const DAYS = [7, 30, 90, 365] as const;
const FOR_EVER_DAYS = Number.POSITIVE_INFINITY;

type Workspace = Awaited<ReturnType<typeof loadWorkspaces>>['workspaces'][number];
type Kept = Pick<Workspace, 'retain_source' | 'retention_days'>;

/** How long the workspace keeps audio and results: everybody sees it, its owner decides. */
export function Retention({ mayChange }: { mayChange: boolean }) {
  const [state, reload] = useLoad(async () => {
    const [workspace, usage] = await Promise.all([loadWorkspace(), earshot.request('getUsage', {})]);
    if (!('storage' in usage)) throw new Error('The service answered in another shape.');
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
            <Choices kept={workspace} mayChange={mayChange} onChanged={reload} />
          </section>
        )}
      </LoadedView>
    </>
  );
}

function Choices(props: { kept: Workspace; mayChange: boolean; onChanged: () => void }) {
  const { kept, mayChange, onChanged } = props;
  const { busy, problem, run } = useAction();
  const confirm = useConfirm();
  const showToast = useToast();
  // What is chosen shows at once, until what then holds has been loaded.
  const [chosen, setChosen] = useState<Partial<Kept>>({});
  useEffect(() => setChosen({}), [kept]);
  const shown = { ...kept, ...chosen };
  const change = async (next: Partial<Kept>) => {
    setChosen(next);
    await run(async () => {
      // Somebody may have changed it since this page was opened.
      const text = whatIsDeleted(await loadWorkspace(), next);
      if (text !== null && !(await confirm({ title: 'Delete sooner?', text, action: 'Change' })))
        return setChosen({});
      const params = { workspace_id: kept.workspace_id };
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
          <option value="as_asked">As each upload asks; this dashboard asks to keep it</option>
          <option value="never">Never</option>
          {daysWith(shown.retain_source).map((days) => (
            <option key={days} value={days}>
              {formatDays(days)} after the analysis
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
          onChange={(event) => void changeResults(event.target.value)}
        >
          <option value="">Until somebody deletes them</option>
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
  if (!workspace) throw new Error('The service answered in another shape.');
  return workspace;
}

/** Null when the change deletes nothing. */
function whatIsDeleted(kept: Kept, next: Partial<Kept>): string | null {
  const { retain_source, retention_days } = { ...kept, ...next };
  if ((retention_days ?? FOR_EVER_DAYS) < (kept.retention_days ?? FOR_EVER_DAYS))
    return 'Songs that were analysed longer ago are deleted within minutes: results, corrections, shared links and audio. This cannot be undone.';
  if (daysOfAudio(retain_source) < daysOfAudio(kept.retain_source))
    return 'Audio that is older than this is deleted within minutes. Those songs keep their results, but can no longer be played or analysed again.';
  return null;
}

const formatDays = (days: number) => (days === 1 ? '1 day' : `${days} days`);

/** The usual numbers of days, and the one that somebody set by the API. */
function daysWith(own: string | number | null): number[] {
  const days = typeof own === 'number' ? [...DAYS, own] : [...DAYS];
  return [...new Set(days)].sort((a, b) => a - b);
}

/** What was kept as asked may have been kept for ever. */
function daysOfAudio(kept: Kept['retain_source']): number {
  if (kept === 'never') return 0;
  return typeof kept === 'number' ? kept : FOR_EVER_DAYS;
}
