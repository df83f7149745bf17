/** `earshot library`, `similar`, `correct`: the songs of the service from the command line. */

import { writeFile } from 'node:fs/promises';
import type { Earshot, JobData, RequestInput, SongSearch } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { FLAG, readArgs, readNumber, refuseWords, TEXT } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import { FILTERS, joinMinus, readFilter } from './filters.ts';

/** Chosen: what fits a terminal or two, and a glance. */
const SONGS_SHOWN_DEFAULT = 50;
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

/** All that are found, as one file; 500 at most. */
async function exportFound(
  earshot: Earshot,
  query: SongSearch,
  { format, folder, out }: { format: string; folder: string | undefined; out: string | undefined },
): Promise<number> {
  type Format = Parameters<typeof earshot.analyses.exportMany>[1];
  // The service says which formats there are.
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
    for (const one of found) {
      const degree = 'score' in one ? one.score : one.similarity;
      console.log(`${degree.toFixed(2)}  ${formatSong(one.job)}\n      ${one.reason}`);
    }
  return EXIT.ok;
}

const TEMPO_WORDS = ['double', 'half', 'triple', 'third'];

export async function runCorrect(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(joinMinus(args), {
    service: TEXT,
    tempo: TEXT,
    key: TEXT,
    'beats-per-bar': TEXT,
    'first-downbeat': TEXT,
    'shift-beats': TEXT,
    note: TEXT,
    undo: FLAG,
  });
  const [id, ...words] = positionals;
  if (!id) throw new UsageError('which song? earshot correct job_… --tempo double');
  refuseWords(words);
  const { service, undo, ...said } = values;
  if (undo) {
    if (Object.keys(said).length > 0)
      throw new UsageError('--undo takes back the whole correction: it goes with nothing else');
    await connect({ service }).earshot.analyses.uncorrect(id);
    console.log(`${id} is as it was heard.`);
    return EXIT.ok;
  }
  const isWord = said.tempo !== undefined && TEMPO_WORDS.includes(said.tempo);
  const truth = {
    tempo: isWord ? said.tempo : readNumber('--tempo', said.tempo, ` or one of ${TEMPO_WORDS.join(', ')}`),
    key: said.key,
    beats_per_bar: readNumber('--beats-per-bar', said['beats-per-bar']),
    first_downbeat_seconds: readNumber('--first-downbeat', said['first-downbeat']),
    shift_beats: readNumber('--shift-beats', said['shift-beats']),
    note: said.note,
  } as NonNullable<RequestInput<'replaceCorrections'>['body']>;
  if (Object.values(truth).every((value) => value === undefined)) {
    throw new UsageError(
      'say what is true: --tempo double, --key "C minor", --beats-per-bar 3, --shift-beats 1 …',
    );
  }
  const { earshot } = connect({ service });
  // Loaded here: its protocol costs more to load than the other commands need.
  const { joinCorrections } = await import('@earshot/mcp');
  const before = await earshot.request('getCorrections', { params: { job_id: id } });
  const { kinds } = await earshot.analyses.correct(id, joinCorrections(before, truth));
  console.log(
    `${formatSong((await earshot.analyses.get(id)).data)}\ncorrected: ${kinds.join(', ') || 'note'}`,
  );
  return EXIT.ok;
}

export function formatSong({ id, status, file_name, headline }: JobData): string {
  if (!headline) return `${id}  ${status}  ${file_name ?? ''}`;
  const { title, artist, bpm, camelot, key_notation, energy } = headline;
  const numbers = [
    bpm === null ? '–' : `${bpm.toFixed(1)} BPM`,
    `${camelot ?? '–'} ${key_notation ?? ''}`.trim(),
    energy === null ? '–' : `energy ${energy.toFixed(2)}`,
  ];
  return `${id}  ${numbers.join('  ')}  ${[artist, title].filter(Boolean).join(' – ')}`;
}
