/** `earshot library` and `earshot similar`: find songs of the service. */

import { writeFile } from 'node:fs/promises';
import type { Earshot, RequestInput, SongSearch } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { FLAG, readArgs, readNumber, refuseWords, TEXT } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import { FILTERS, joinMinus, readFilter } from './filters.ts';
import { formatSong } from './song-line.ts';

/** One or two screens of a terminal. */
const SONGS_SHOWN_DEFAULT = 50;
/** Read at a glance. */
const SIMILAR_SHOWN_DEFAULT = 10;

export async function runLibrary(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(joinMinus(args), {
    ...FILTERS,
    sort: TEXT,
    service: TEXT,
    limit: TEXT,
    json: FLAG,
    export: TEXT,
    folder: TEXT,
    out: TEXT,
  });
  const { service, limit, json, export: format, folder, out, ...filters } = values;
  const query: SongSearch = readFilter(filters, positionals);
  if (format !== undefined) {
    if (query.sort !== undefined)
      throw new UsageError('an export has no order: make a crate of the songs (earshot crate)');
    if (limit !== undefined)
      throw new UsageError('an export holds all that is found: narrow the search instead of --limit');
    if (json) throw new UsageError('--json prints the list, --export a file: name one of them');
    return exportFound(connect({ service }).earshot, query, { format, folder, out });
  }
  if (out !== undefined || folder !== undefined)
    throw new UsageError('--out and --folder say where an export goes: name its format with --export');
  const page = { ...query, limit: readNumber('--limit', limit) ?? SONGS_SHOWN_DEFAULT };
  const { songs, total, totalIsExact } = await connect({ service }).earshot.analyses.find(page);
  if (json) console.log(JSON.stringify(songs, null, 2));
  else {
    for (const song of songs) console.log(formatSong(song));
    console.error(`${songs.length} of ${totalIsExact ? '' : 'more than '}${total} songs`);
  }
  return EXIT.ok;
}

/** All songs found as one file; the service refuses more than 500. */
async function exportFound(
  earshot: Earshot,
  query: SongSearch,
  { format, folder, out }: { format: string; folder: string | undefined; out: string | undefined },
): Promise<number> {
  type Format = Parameters<typeof earshot.analyses.exportMany>[1];
  // The service checks the format.
  const { bytes, songs } = await earshot.analyses.exportMany({ query }, format as Format, folder);
  if (out === undefined) process.stdout.write(bytes);
  else await writeFile(out, bytes);
  console.error(`${songs} songs`);
  return EXIT.ok;
}

export async function runSimilar(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    service: TEXT,
    by: TEXT,
    limit: TEXT,
    next: FLAG,
    json: FLAG,
  });
  const [id, ...words] = positionals;
  if (!id) throw new UsageError('which song? earshot similar job_…');
  refuseWords(words);
  if (values.next && values.by !== undefined)
    throw new UsageError('--by goes with songs that sound alike; --next has an order of its own');
  const limit = readNumber('--limit', values.limit) ?? SIMILAR_SHOWN_DEFAULT;
  const { analyses } = connect({ service: values.service }).earshot;
  const found = values.next
    ? await analyses.next(id, { limit })
    : await analyses.similar(id, {
        limit,
        by: values.by as NonNullable<RequestInput<'listSimilarAnalyses'>['query']>['by'],
      });
  if (values.json) console.log(JSON.stringify(found, null, 2));
  else
    for (const match of found) {
      const scoreRatio = 'score' in match ? match.score : match.similarity;
      console.log(`${scoreRatio.toFixed(2)}  ${formatSong(match.job)}\n      ${printable(match.reason)}`);
    }
  return EXIT.ok;
}
