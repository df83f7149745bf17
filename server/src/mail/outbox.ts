import type { Context } from '../context.ts';
import { enqueue } from '../jobs/queue.ts';
import { deriveKey, seal, unseal } from '../platform/crypto.ts';
import { newId } from '../platform/ids.ts';
import type { Mail } from '../platform/mailer.ts';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import * as store from './store.ts';

type Keys = { config: Pick<Context['config'], 'secretKey'> };

/** Queues a mail on the caller's transaction: it is sent if, and only if, what caused it was committed. */
export async function queueMail(tx: Transaction, ctx: Keys, mail: Mail): Promise<void> {
  const id = newId('mai');
  const bodySealed = seal(mailKey(ctx), mail.bodyText, id);
  await store.insertMail(tx, id, { recipient: mail.recipient, subject: mail.subject, bodySealed });
  await enqueue(tx, { kind: 'mail.send', tenant: mail.recipient, payload: { mailId: id } });
}

/** Null when it was sent already. */
export async function findQueuedMail(db: Queryable, ctx: Keys, id: string): Promise<Mail | null> {
  const row = await store.findMail(db, id);
  if (row === null) return null;
  const { recipient, subject, bodySealed } = row;
  return { recipient, subject, bodyText: unseal(mailKey(ctx), bodySealed, id) };
}

function mailKey(ctx: Keys): Buffer {
  return deriveKey(ctx.config.secretKey, 'mail-outbox');
}
