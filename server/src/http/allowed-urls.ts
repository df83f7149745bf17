import type { ValidationIssue } from '@earshot/contract';
import type { Dependencies } from '../context.ts';
import { ValidationFailed } from '../errors.ts';
import { shorten } from './validation.ts';

export type GivenUrl = { url: string; loc: string[] };

/** Asks DNS, so it runs before any transaction. One wording for every reason: the caller must not map our network. */
export async function assertUrlsAllowed(
  { guardedFetch }: Pick<Dependencies, 'guardedFetch'>,
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
        input: shorten(url),
      }),
    );
  if (issues.length > 0) throw new ValidationFailed(issues);
}

const REFUSAL =
  'This URL cannot be used. Give a public http or https address on the usual port, without a name or password in it';
