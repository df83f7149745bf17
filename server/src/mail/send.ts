import type { Context } from '../context.ts';
import type { Job } from '../jobs/job.ts';
import { assertLease, finishJob } from '../jobs/lease.ts';
import { findQueuedMail } from './outbox.ts';
import * as store from './store.ts';

/**
 * Job 'mail.send'. After a crash between sending and deleting, the mail is sent again with the same Message-ID, by which the receiving
 * side recognises it.
 */
export async function sendMail(ctx: Context, job: Job<'mail.send'>): Promise<void> {
  const { mailId } = job.payload;
  const mail = await findQueuedMail(ctx.db, ctx, mailId);
  if (mail !== null) await ctx.mailer.send(mail, mailId);
  await forgetMail(ctx, job);
}

/** Deletes a mail after its last attempt. Its text is not logged; the error may name its address. */
export async function dropMail(ctx: Context, job: Job<'mail.send'>, error: unknown): Promise<void> {
  ctx.log.error({ err: error, mailId: job.payload.mailId }, 'A mail could not be sent and is dropped');
  await forgetMail(ctx, job);
}

async function forgetMail(ctx: Context, job: Job<'mail.send'>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await store.deleteMail(tx, job.payload.mailId);
    await finishJob(tx, job.lease);
  });
}
