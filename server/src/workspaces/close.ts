import { closeAnalysesOfWorkspace } from '../analyses/closing.ts';
import { closeKeysOfWorkspace } from '../api-keys/closing.ts';
import type { Transaction } from '../platform/postgres.ts';
import { closeSharesOfWorkspace } from '../shares/closing.ts';
import { closeSessionsOfWorkspace } from '../sign-in/closing.ts';
import { closeWebhooksOfWorkspace } from '../webhooks/closing.ts';
import { markClosed } from './deletion-store.ts';

/** Ends all access, webhook calls and jobs of a workspace. Each domain closes its own tables. */
export async function closeWorkspace(tx: Transaction, workspaceId: string, now: Date): Promise<void> {
  await markClosed(tx, workspaceId, now);
  await closeSessionsOfWorkspace(tx, workspaceId, now);
  await closeKeysOfWorkspace(tx, workspaceId, now);
  await closeSharesOfWorkspace(tx, workspaceId, now);
  await closeWebhooksOfWorkspace(tx, workspaceId, now);
  await closeAnalysesOfWorkspace(tx, workspaceId, now);
}
