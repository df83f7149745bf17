import type { ValidationIssue } from '@earshot/contract';
import type { Config } from '../config.ts';
import { ValidationFailed } from '../errors.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

type GivenUrl = { url: string; loc: string[] };

/** Resolves host names: call it before a transaction starts. One message for every reason, so that it cannot be used to map our network. */
export async function assertUrlsAllowed(
  { guardedFetch, config }: { guardedFetch: GuardedFetch; config: Pick<Config, 'outgoing'> },
  given: readonly GivenUrl[],
): Promise<void> {
  const allowed = await Promise.all(given.map(({ url }) => guardedFetch.isUrlAllowed(url)));
  const ports = config.outgoing.allowedPorts.join(' or ');
  const msg = `This URL cannot be used. Give a public http or https address on port ${ports}, without a name or password in it`;
  const issues = given
    .filter((_, index) => !allowed[index])
    .map(({ url, loc }): ValidationIssue => ({ type: 'url_not_allowed', loc, msg, input: url }));
  if (issues.length > 0) throw new ValidationFailed(issues);
}
