import type { Expiry } from '../platform/expiry.ts';

export const SIGN_IN_EXPIRY: readonly Expiry[] = [
  { table: 'sign_in_challenges', where: `created_at < now() - interval '2 days'` },
  { table: 'email_verifications', where: `expires_at < now() - interval '7 days'` },
  { table: 'sessions', where: `coalesce(revoked_at, expires_at) < now() - interval '30 days'` },
];
