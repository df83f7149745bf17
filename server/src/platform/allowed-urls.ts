import type { ValidationIssue } from '@earshot/contract';
import { ValidationFailed } from '../errors.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

export type GivenUrl = { url: string; loc: string[] };

/** Asks DNS, so it runs before any transaction. One wording for every reason: the caller must not map our network. */
export async function assertUrlsAllowed(
  { guardedFetch }: { guardedFetch: GuardedFetch },
  given: readonly GivenUrl[],
): Promise<void> {
  const allowed = await Promise.all(given.map(({ url }) => guardedFetch.isUrlAllowed(url)));
  const issues = given
    .filter((_, index) => !allowed[index])
    .map(
      ({ url, loc }): ValidationIssue => ({
        type: 'url_not_allowed',
        loc,
        msg: REFUSAL,
        input: url,
      }),
    );
  if (issues.length > 0) throw new ValidationFailed(issues);
}

const REFUSAL =
  'This URL cannot be used. Give a public http or https address on the usual port, without a name or password in it';
