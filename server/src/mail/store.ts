import type { Queryable, Transaction } from '../platform/postgres.ts';

/** Mail belongs to its recipient, not to a workspace: only the job that sends it knows its id. */
export type OutboxRow = {
  recipient: string;
  /** Sealed, except in rows of older versions. */
  storedSubject: string;
  bodySealed: string;
};

export async function insertMail(tx: Transaction, id: string, row: OutboxRow): Promise<void> {
  await tx.query('insert into mail_outbox (id, recipient, subject, body_sealed) values ($1, $2, $3, $4)', [
    id,
    row.recipient,
    row.storedSubject,
    row.bodySealed,
  ]);
}

export async function findMail(db: Queryable, id: string): Promise<OutboxRow | null> {
  return db.maybeOne<OutboxRow>(
    'select recipient, subject as "storedSubject", body_sealed as "bodySealed" from mail_outbox where id = $1',
    [id],
  );
}

export async function deleteMail(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from mail_outbox where id = $1', [id]);
}
