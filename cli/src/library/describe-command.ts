/** `earshot describe` edits the words about one song. */

import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { readArgs, readNumber, refuseWords, TEXT, TEXTS } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
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
    // Null restores the title, artist or album of the file's tags, and removes a note.
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
