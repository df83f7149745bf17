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
  if (songDays(next) < songDays(current))
    return 'Songs that were analysed longer ago are deleted within minutes: results, corrections, shared links and audio. This cannot be undone.';
  if (audioDays(next) < audioDays(current))
    return 'Audio that is older than this is deleted within minutes. Those songs keep their results, but can no longer be played or analysed again.';
  return null;
}

function songDays({ retention_days }: RetentionSettings): number {
  return retention_days ?? NEVER_DELETED_DAYS;
}

/** At most as long as the song. Under `as_asked` each upload decides, so some audio may be kept as long. */
function audioDays(settings: RetentionSettings): number {
  if (settings.retain_source === 'never') return 0;
  const days = typeof settings.retain_source === 'number' ? settings.retain_source : NEVER_DELETED_DAYS;
  return Math.min(days, songDays(settings));
}
