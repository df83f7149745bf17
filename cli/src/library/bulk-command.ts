/** `earshot bulk` changes many songs at once. */

import type { RequestInput } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { FLAG, readArgs, TEXT, TEXTS } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import { BULK_FILTERS, joinMinus, readFilter } from './filters.ts';

const ACTIONS = ['tag', 'untag', 'delete', 'add_to_collection', 'analyse_again'] as const;
type Bulk = RequestInput<'changeAnalyses'>['body'] & { action: (typeof ACTIONS)[number] };

export async function runBulk(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(joinMinus(args), {
    ...BULK_FILTERS,
    service: TEXT,
    tags: TEXTS,
    to: TEXT,
    yes: FLAG,
  });
  const [verb, ...ids] = positionals;
  const action = ACTIONS.find((name) => name === verb?.replaceAll('-', '_'));
  if (!action) throw new UsageError(`what is to be done? ${ACTIONS.join(', ').replaceAll('_', '-')}`);
  const { service, tags, to, yes, 'with-tag': withTag, ...filter } = values;
  if (action === 'delete' && !yes) throw new UsageError('what is deleted is gone: say --yes');
  const query = readFilter({ ...filter, ...(withTag && { tag: withTag }) }, []);
  if ((ids.length === 0) === (Object.keys(query).length === 0))
    throw new UsageError(
      'which songs? Their ids, or a filter as of earshot library (its --tag is --with-tag here)',
    );
  const { earshot } = connect({ service });
  const done = await earshot.analyses.change({
    ...(ids.length > 0 ? { ids } : { query }),
    action,
    ...(tags && { tags }),
    ...(to !== undefined && { collection_id: to }),
  } as Bulk);
  console.log(`${done.changed} of ${done.matched} songs`);
  for (const id of done.job_ids) console.log(id);
  return EXIT.ok;
}
