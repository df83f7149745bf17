/** `earshot describe` edits the words about one song; `earshot bulk` changes many songs at once. */

import type { RequestInput } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { FLAG, readArgs, readNumber, refuseWords, TEXT, TEXTS } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import { BULK_FILTERS, joinMinus, readFilter } from './filters.ts';
import { formatSong } from './song-line.ts';

export async function runDescribe(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    service: TEXT,
    title: TEXT,
    artist: TEXT,
    album: TEXT,
    note: TEXT,
    rating: TEXT,
    tag: TEXTS,
  });
  const [id, ...words] = positionals;
  if (!id) throw new UsageError('which song? earshot describe job_… --title "Blue Hour" --tag warm-up');
  refuseWords(words);
  const { service, tag, rating, ...names } = values;
  const changes = {
    // An empty option restores the value of the file's tags.
    ...Object.fromEntries(Object.entries(names).map(([name, value]) => [name, value === '' ? null : value])),
    ...(rating !== undefined && { rating: rating === '' ? null : readNumber('--rating', rating) }),
    ...(tag && { tags: tag.filter((name) => name !== '') }),
  };
  if (Object.keys(changes).length === 0)
    throw new UsageError(
      'say something: --title, --artist, --album, --note, --rating 0-5, --tag (more than once)',
    );
  const { earshot } = connect({ service });
  console.log(formatSong(await earshot.analyses.describe(id, changes)));
  return EXIT.ok;
}

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
