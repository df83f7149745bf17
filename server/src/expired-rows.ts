import { BILLING_EXPIRY } from './billing/expiry.ts';
import { HTTP_EXPIRY } from './http/expiry.ts';
import { LIMITS_EXPIRY } from './limits/expiry.ts';
import type { Expiry } from './platform/expiry.ts';
import type { Queryable } from './platform/postgres.ts';
import { SIGN_IN_EXPIRY } from './sign-in/expiry.ts';

/** Each domain declares which of its rows may be deleted once they have expired. */
const EXPIRED: readonly Expiry[] = [...HTTP_EXPIRY, ...LIMITS_EXPIRY, ...SIGN_IN_EXPIRY, ...BILLING_EXPIRY];

/** Per table and sweep, so that locks are short; the next sweep deletes the rest. */
const BATCH_ROWS = 2_000;

export async function deleteExpiredRows(db: Queryable): Promise<number> {
  let count = 0;
  for (const { table, where } of EXPIRED) {
    const rows = await db.query(
      `delete from ${table} where ctid = any (array(select ctid from ${table} where ${where} limit ${BATCH_ROWS}))
       returning 1`,
    );
    count += rows.length;
  }
  return count;
}
