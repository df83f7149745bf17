import { accessEnded } from '../errors.ts';
import type { Raw } from './implement.ts';

/** Throws 401 when the caller lost access while the body was arriving. */
export async function assertStillAllowed(raw: Pick<Raw, 'watchAccess'>): Promise<void> {
  const access = await raw.watchAccess();
  access.stop();
  if (access.lost.aborted) throw accessEnded();
}
