import type { Expiry } from '../platform/expiry.ts';

export const SIGN_IN_EXPIRY: readonly Expiry[] = [
  // Codes and their reissues last 70 minutes at most, and a challenge holds the e-mail address of a person who may have no account.
  { table: 'sign_in_challenges', where: `created_at < now() - interval '2 days'` },
  // For a week, an expired token is answered with 410 and not 404.
  { table: 'email_verifications', where: `expires_at < now() - interval '7 days'` },
  // Ended sessions still tell where their user has signed in from and which workspace they used last. The condition is that of the index
  // sessions_expiry.
  {
    table: 'sessions',
    where: `case when revoked_at is null then expires_at else revoked_at end < now() - interval '30 days'`,
  },
];
