import type { Context } from '../context.ts';
import { enqueue } from '../jobs/queue.ts';
import { deriveKeys, hmacSha256, seal, unsealWithAny } from '../platform/crypto.ts';
import { newId } from '../platform/ids.ts';
import type { Mail } from '../platform/mailer.ts';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import * as store from './store.ts';

type Keys = { config: Pick<Context['config'], 'secretKey' | 'secretKeySecond'> };

/** Queues a mail in the caller's transaction, so that it is sent if and only if that commits. */
export async function queueMail(tx: Transaction, ctx: Keys, mail: Mail): Promise<void> {
  const id = newId('mai');
  // Subject and body may both contain a sign-in code.
  const storedSubject = seal(mailKey(ctx), mail.subject, `${id}/subject`);
  const bodySealed = seal(mailKey(ctx), mail.bodyText, id);
  await store.insertMail(tx, id, { recipient: mail.recipient, storedSubject, bodySealed });
  await enqueue(tx, { kind: 'mail.send', tenant: tenantOf(ctx, mail), payload: { mailId: id } });
}

/** Null when it has already been sent. */
export async function findQueuedMail(db: Queryable, ctx: Keys, id: string): Promise<Mail | null> {
  const row = await store.findMail(db, id);
  if (row === null) return null;
  const { recipient, storedSubject, bodySealed } = row;
  return {
    recipient,
    subject: storedSubject.startsWith('v1.')
      ? unsealWithAny(mailKeys(ctx), storedSubject, `${id}/subject`)
      : storedSubject,
    bodyText: unsealWithAny(mailKeys(ctx), bodySealed, id),
  };
}

/** The queue shares capacity fairly between tenants, here recipients. Their addresses are hashed: it need not know them. */
function tenantOf(ctx: Keys, { recipient }: Mail): string {
  return hmacSha256(mailKey(ctx), recipient.toLowerCase()).toString('hex', 0, 16);
}

function mailKey(ctx: Keys): Buffer {
  return mailKeys(ctx)[0] as Buffer;
}

function mailKeys(ctx: Keys): Buffer[] {
  return deriveKeys(ctx.config, 'mail-outbox');
}
