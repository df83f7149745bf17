import type { Context } from '../context.ts';
import type { Job } from '../jobs/job.ts';
import { assertLease, finishJob } from '../jobs/lease.ts';
import { findQueuedMail } from './outbox.ts';
import * as store from './store.ts';

/**
 * Job 'mail.send'. After a crash between sending and deleting, the mail is sent again with the same Message-ID, by which the receiving
 * server can recognize the duplicate.
 */
export async function sendMail(ctx: Context, job: Job<'mail.send'>): Promise<void> {
  const { mailId } = job.payload;
  const mail = await findQueuedMail(ctx.db, ctx, mailId);
  if (mail !== null) await ctx.mailer.send(mail, mailId);
  await deleteAndFinish(ctx, job);
}

/** Called after the last failed attempt. Logs no text of the mail; the error may contain the recipient's address. */
export async function dropMail(ctx: Context, job: Job<'mail.send'>, error: unknown): Promise<void> {
  ctx.log.error({ err: error, mailId: job.payload.mailId }, 'A mail could not be sent and is dropped');
  await deleteAndFinish(ctx, job);
}

async function deleteAndFinish(ctx: Context, job: Job<'mail.send'>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await store.deleteMail(tx, job.payload.mailId);
    await finishJob(tx, job.lease);
  });
}
