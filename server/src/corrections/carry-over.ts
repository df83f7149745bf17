import type { Transaction } from '../platform/postgres.ts';
import { copyCorrectionRow } from './store.ts';

/** To another analysis of the same audio: what people said of the song holds, whichever version listened. */
export async function copyCorrection(
  tx: Transaction,
  workspaceId: string,
  pair: { oldId: string; newId: string },
): Promise<void> {
  await copyCorrectionRow(tx, workspaceId, pair);
}
