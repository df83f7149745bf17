import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { runCorrect } from './correct-command.ts';
import { runCorrections } from './corrections-command.ts';
import { runCrate } from './crate-command.ts';
import { runDescribe } from './describe-command.ts';
import { runLibrary, runSimilar } from './library-command.ts';

beforeEach(() => {
  vi.stubEnv('XDG_CONFIG_HOME', `${tmpdir()}/nobody-is-signed-in`);
  vi.stubEnv('EARSHOT_API_KEY', '');
});
afterEach(() => vi.unstubAllEnvs());

it.each([
  [runCrate, ['create'], /a crate needs a name/],
  [runCrate, ['show'], /which crate\?/],
  [runCrate, ['show', 'col_1', 'col_2'], /"col_2"/],
  [runCrate, ['add', 'col_1'], /which songs\?/],
  [runCrate, ['list', 'all'], /"all"/],
  [runCrate, ['lend'], /crate has no verb "lend"/],
  [runCrate, ['export', 'col_1', '--apply'], /--apply goes with earshot crate order/],
  [runCrate, ['order', 'col_1', '--out', 'set.xml'], /--out goes with earshot crate export/],
  [runDescribe, ['job_1'], /say something/],
  [runDescribe, ['job_1', '--title', 'Blue', 'Hour'], /"Hour".*quotes/],
  // It would be read as C major.
  [runCorrect, ['job_1', '--key', 'C', 'minor'], /"minor".*quotes/],
  [runCorrect, ['job_1', '--undo', '--tempo', 'double'], /--undo takes back the whole correction/],
  [runSimilar, [], /which song\?/],
  [runSimilar, ['job_1', 'job_2'], /"job_2"/],
  [runSimilar, ['job_1', '--limit', 'ten'], /--limit is a number, not "ten"/],
  [runSimilar, ['job_1', '--next', '--by', 'rhythm'], /--by goes with songs that sound alike/],
  [runCorrections, ['export', 'corpus', '--out', 'corpus'], /"corpus"/],
  [runCorrect, ['job_1'], /say what is true/],
  // As a number it would be NaN, which JSON sends as null, and null undoes a correction.
  [runCorrect, ['job_1', '--tempo', 'doubel'], /--tempo is a number or one of double, half/],
  [runCorrect, ['job_1', '--shift-beats', ''], /--shift-beats is a number, not ""/],
  [runDescribe, ['job_1', '--rating', 'five'], /--rating is a number, not "five"/],
  [runLibrary, ['--limit', 'ten'], /--limit is a number, not "ten"/],
  [runLibrary, ['--export', 'csv', '--sort', 'bpm'], /an export has no order/],
  [runLibrary, ['--export', 'csv', '--limit', '10'], /an export holds all that is found/],
  [runLibrary, ['--export', 'csv', '--json'], /--json.*--export/],
  [runLibrary, ['--out', 'songs.csv'], /--out.*--export/],
  [runLibrary, ['--folder', 'C:/Music'], /--folder.*--export/],
] as const)('%o %j is rejected whether or not one is signed in', async (run, args, sentence) => {
  const failure = await run(args).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect((failure as Error).message).toMatch(sentence);
});
