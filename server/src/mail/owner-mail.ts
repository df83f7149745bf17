import type { Context } from '../context.ts';
import type { Transaction } from '../platform/postgres.ts';
import { findOwnerAddress } from '../workspaces/addresses.ts';
import { queueMail } from './outbox.ts';

export type OwnerMail = {
  workspaceId: string;
  /** The notification preference of the owner that allows this mail; null for a mail that cannot be turned off. */
  preference: 'analysis_complete' | 'billing_updates' | 'product_updates' | null;
  subject: string;
  bodyText: string;
};

/** Queues a mail to the owner of a workspace, unless they have turned this kind of mail off. */
export async function queueMailToOwner(
  tx: Transaction,
  ctx: Pick<Context, 'config'>,
  mail: OwnerMail,
): Promise<void> {
  const owner = await findOwnerAddress(tx, mail.workspaceId, mail.preference);
  if (owner === null) return;
  await queueMail(tx, ctx, { recipient: owner, subject: mail.subject, bodyText: mail.bodyText });
}
