import type { WorkspaceList } from '../workspaces.ts';

type Workspace = WorkspaceList['workspaces'][number];
export type RetentionSettings = Pick<Workspace, 'retain_source' | 'retention_days'>;

const NEVER_DELETED_DAYS = Number.POSITIVE_INFINITY;

/** What a change of the settings deletes, for the question before it; null when it deletes nothing. */
export function retentionWarning(
  current: RetentionSettings,
  change: Partial<RetentionSettings>,
): string | null {
  const next = { ...current, ...change };
  if ((next.retention_days ?? NEVER_DELETED_DAYS) < (current.retention_days ?? NEVER_DELETED_DAYS))
    return 'Songs that were analysed longer ago are deleted within minutes: results, corrections, shared links and audio. This cannot be undone.';
  if (audioDays(next.retain_source) < audioDays(current.retain_source))
    return 'Audio that is older than this is deleted within minutes. Those songs keep their results, but can no longer be played or analysed again.';
  return null;
}

/** Under `as_asked` each upload decides, so some audio may be kept for ever. */
function audioDays(retainSource: RetentionSettings['retain_source']): number {
  if (retainSource === 'never') return 0;
  return typeof retainSource === 'number' ? retainSource : NEVER_DELETED_DAYS;
}
