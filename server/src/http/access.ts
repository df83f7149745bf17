import { accessEnded } from '../errors.ts';
import type { Raw } from './implement.ts';

/** After a body that took its time: throws 401 when the caller would not be let in any more. */
export async function assertStillAllowed(raw: Raw): Promise<void> {
  const access = await raw.watchAccess();
  access.stop();
  if (access.lost.aborted) throw accessEnded();
}
