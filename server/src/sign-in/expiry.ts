import type { Expiry } from '../platform/expiry.ts';

export const SIGN_IN_EXPIRY: readonly Expiry[] = [
  { table: 'sign_in_challenges', where: `created_at < now() - interval '2 days'` },
  { table: 'email_verifications', where: `expires_at < now() - interval '7 days'` },
  // The condition is that of the index sessions_expiry.
  {
    table: 'sessions',
    where: `case when revoked_at is null then expires_at else revoked_at end < now() - interval '30 days'`,
  },
];
