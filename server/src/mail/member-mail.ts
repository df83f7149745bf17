import type { Context } from '../context.ts';
import type { Transaction } from '../platform/postgres.ts';
import { findMemberAddress } from '../workspaces/addresses.ts';
import { queueMail } from './outbox.ts';
import type { OwnerMail } from './owner-mail.ts';

export type MemberMail = Pick<OwnerMail, 'workspaceId' | 'subject' | 'bodyText'> & {
  userId: string;
  preference: NonNullable<OwnerMail['preference']>;
};

/** Queues a mail to a member of a workspace, unless they have turned this kind of mail off or have left the workspace. */
export async function queueMailToMember(
  tx: Transaction,
  ctx: Pick<Context, 'config'>,
  mail: MemberMail,
): Promise<void> {
  const recipient = await findMemberAddress(tx, mail, mail.preference);
  if (recipient === null) return;
  await queueMail(tx, ctx, { recipient, subject: mail.subject, bodyText: mail.bodyText });
}
