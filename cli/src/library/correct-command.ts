/** `earshot correct`: replaces detected values with what a person knows. */

import type { RequestInput } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { FLAG, readArgs, readNumber, refuseWords, TEXT } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import { joinMinus } from './filters.ts';
import { formatSong } from './song-line.ts';

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
  const { service, undo, ...given } = values;
  if (undo) {
    if (Object.keys(given).length > 0)
      throw new UsageError('--undo takes back the whole correction: no other option goes with it');
    await connect({ service }).earshot.analyses.uncorrect(id);
    console.log(`${id} is as it was heard.`);
    return EXIT.ok;
  }
  const isWord = given.tempo !== undefined && TEMPO_WORDS.includes(given.tempo);
  const corrections = {
    tempo: isWord ? given.tempo : readNumber('--tempo', given.tempo, ` or one of ${TEMPO_WORDS.join(', ')}`),
    key: given.key,
    beats_per_bar: readNumber('--beats-per-bar', given['beats-per-bar']),
    first_downbeat_seconds: readNumber('--first-downbeat', given['first-downbeat']),
    shift_beats: readNumber('--shift-beats', given['shift-beats']),
    note: given.note,
  } as NonNullable<RequestInput<'replaceCorrections'>['body']>;
  if (Object.values(corrections).every((value) => value === undefined)) {
    throw new UsageError(
      'say what is true: --tempo double, --key "C minor", --beats-per-bar 3, --shift-beats 1 …',
    );
  }
  const { earshot } = connect({ service });
  // Imported here, because loading the package delays the other commands.
  const { joinCorrections } = await import('@earshot/mcp');
  const before = await earshot.request('getCorrections', { params: { job_id: id } });
  const { kinds } = await earshot.analyses.correct(id, joinCorrections(before, corrections));
  console.log(
    `${formatSong((await earshot.analyses.get(id)).data)}\ncorrected: ${kinds.join(', ') || 'note'}`,
  );
  return EXIT.ok;
}
