/** Fields that the service adds to the correction it returns. */
const ADDED_FIELDS = ['job_id', 'kinds', 'bpm', 'corrected_by', 'updated_at'];

/**
 * Merges an earlier correction with a change, into the body that replaces it: the service keeps one correction per song. Undefined
 * keeps the earlier value; null removes it.
 */
export function joinCorrections<T extends object>(before: object, change: T): T {
  const kept = Object.entries(before).filter(([name]) => !ADDED_FIELDS.includes(name));
  const changed = Object.entries(change).filter(([, value]) => value !== undefined);
  const joined: Record<string, unknown> = Object.fromEntries([...kept, ...changed]);
  // Both set where bars begin, and the service accepts only one of them.
  const names = changed.filter(([, value]) => value !== null).map(([name]) => name);
  if (names.includes('shift_beats')) joined.first_downbeat_seconds = null;
  else if (names.includes('first_downbeat_seconds')) joined.shift_beats = null;
  return joined as T;
}
