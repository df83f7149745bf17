/** What the service adds to a correction when it answers with it. */
const NOT_SAID = ['job_id', 'kinds', 'bpm', 'corrected_by', 'updated_at'];

/**
 * What was said before with what is said now, as the body that replaces it: the service keeps one correction of a song, whole. What is
 * undefined stays as it was; null takes it back.
 */
export function joinCorrections<T extends object>(before: object, truth: T): T {
  const said = Object.entries(before).filter(([name]) => !NOT_SAID.includes(name));
  const given = Object.entries(truth).filter(([, value]) => value !== undefined);
  const joined: Record<string, unknown> = Object.fromEntries([...said, ...given]);
  // Both say where bars begin, and the service takes one of them.
  const names = given.filter(([, value]) => value !== null).map(([name]) => name);
  if (names.includes('shift_beats')) joined.first_downbeat_seconds = null;
  else if (names.includes('first_downbeat_seconds')) joined.shift_beats = null;
  return joined as T;
}
