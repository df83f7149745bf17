/** `earshot library`, `similar`, `next`, `correct`: the songs of the service from the command line. */

import { writeFile } from 'node:fs/promises';
import type { Earshot, JobData, RequestInput, SongSearch } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { readArgs, readNumber, UsageError } from '../usage-error.ts';
import { FILTERS, joinMinus, readFilter } from './filters.ts';

const text = { type: 'string' } as const;

const LIMIT = 50;

export async function runLibrary(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs({
    args: joinMinus(args),
    allowPositionals: true,
    options: {
      ...FILTERS,
      sort: text,
      service: text,
      limit: text,
      json: { type: 'boolean', default: false },
      export: text,
      folder: text,
      out: text,
    },
  });
  const { service, limit, json, export: format, folder, out, ...filters } = values;
  const query: SongSearch = readFilter(filters, positionals);
  if (format !== undefined && query.sort !== undefined)
    throw new UsageError('an export has no order: make a crate of the songs (earshot crate)');
  const { earshot } = connect({ service });
  if (format !== undefined) return exportFound(earshot, query, { format, folder, out });
  const { songs, total } = await earshot.analyses.find({
    ...query,
    limit: limit === undefined ? LIMIT : Number(limit),
  });
  if (json) console.log(JSON.stringify(songs, null, 2));
  else {
    for (const song of songs) console.log(formatSong(song));
    console.error(`${songs.length} of ${total} songs`);
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
  const { values, positionals } = readArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      service: text,
      by: text,
      limit: text,
      next: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [id] = positionals;
  if (!id) throw new UsageError('which song? earshot similar job_…');
  const { earshot } = connect({ service: values.service });
  const limit = values.limit === undefined ? 10 : Number(values.limit);
  const found = values.next
    ? (await earshot.analyses.next(id, { limit })).map((one) => ({ ...one, degree: one.score }))
    : (
        await earshot.analyses.similar(id, {
          limit,
          by: values.by as NonNullable<RequestInput<'listSimilarAnalyses'>['query']>['by'],
        })
      ).map((one) => ({ ...one, degree: one.similarity }));
  if (values.json) console.log(JSON.stringify(found, null, 2));
  else
    for (const { job, degree, reason } of found)
      console.log(`${degree.toFixed(2)}  ${formatSong(job)}\n      ${reason}`);
  return EXIT.ok;
}

const TEMPO_WORDS = ['double', 'half', 'triple', 'third'];

export async function runCorrect(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      service: text,
      tempo: text,
      key: text,
      'beats-per-bar': text,
      'first-downbeat': text,
      'shift-beats': text,
      note: text,
      undo: { type: 'boolean', default: false },
    },
  });
  const [id] = positionals;
  if (!id) throw new UsageError('which song? earshot correct job_… --tempo double');
  if (values.undo) {
    const { earshot } = connect({ service: values.service });
    await earshot.analyses.uncorrect(id);
    console.log(`${id} is as it was heard.`);
    return EXIT.ok;
  }
  const isWord = values.tempo !== undefined && TEMPO_WORDS.includes(values.tempo);
  const truth = {
    tempo: isWord
      ? values.tempo
      : readNumber('--tempo', values.tempo, ` or one of ${TEMPO_WORDS.join(', ')}`),
    key: values.key,
    beats_per_bar: readNumber('--beats-per-bar', values['beats-per-bar']),
    first_downbeat_seconds: readNumber('--first-downbeat', values['first-downbeat']),
    shift_beats: readNumber('--shift-beats', values['shift-beats']),
    note: values.note,
  } as NonNullable<RequestInput<'replaceCorrections'>['body']>;
  if (Object.values(truth).every((value) => value === undefined)) {
    throw new UsageError(
      'say what is true: --tempo double, --key "C minor", --beats-per-bar 3, --shift-beats 1 …',
    );
  }
  const { earshot } = connect({ service: values.service });
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
