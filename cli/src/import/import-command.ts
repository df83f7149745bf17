/**
 * `earshot import FOLDER|s3://BUCKET/PREFIX`: uploads every song that the service does not have yet.
 *
 * Songs are identified by the SHA-256 of their bytes. The service is asked for the hash before anything is uploaded, and the hash
 * is in the idempotency key of the submission, so that two machines that upload the same bytes at the same moment make one
 * analysis. This machine holds no state that matters: a killed run is repeated and continues where it stopped.
 */

import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Earshot } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { isUnreadable } from '../is-unreadable.ts';
import { printable } from '../printable.ts';
import { FLAG, readArgs, readSongsAtOnce, TEXT } from '../read-args.ts';
import { runWorkers } from '../run-workers.ts';
import { sha256OfFile } from '../sha256-of-file.ts';
import { UsageError } from '../usage-error.ts';
import { ObjectRefused } from './bucket.ts';
import { type Journal, openJournal } from './journal.ts';
import { listSources, type Source } from './sources.ts';
import { createTally, type Tally } from './tally.ts';

/** As for `earshot analyze --remote`: some uploads overlap with the hashing of other files. */
const SONGS_AT_ONCE_DEFAULT = 4;
const KEY_PREFIX = 'import-';
/** The idempotency key of a song's first submission: the prefix and the 64 digits of a SHA-256. */
const FIRST_KEY_CHARACTERS = KEY_PREFIX.length + 64;

/**
 * Refusals of one file, by code, or by status when there is no code: invalid input (422), too large for a proxy (413). Any other
 * refusal ends the run, because the key, plan or service that causes it is the same for every file.
 */
const FILE_REFUSALS = new Set<string | number>(['payload_too_large', 'unsupported_media', 422, 413]);
const READ_ERROR_CODES = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EBUSY', 'EIO', 'ELOOP']);

export async function runImport(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    service: TEXT,
    parallel: TEXT,
    share: TEXT,
    'no-progress': FLAG,
  });
  const [given] = positionals;
  if (!given || positionals.length > 1)
    throw new UsageError(
      'import takes one folder or bucket prefix: earshot import ~/Music, or s3://bucket/prefix',
    );
  const root = given.startsWith('s3://') ? given : resolve(given);
  const songsAtOnce = readSongsAtOnce(values.parallel) ?? SONGS_AT_ONCE_DEFAULT;
  const isInShare = readShare(values.share);
  const { earshot, service, apiKey } = connect({ service: values.service });
  const keyHash = sha256Of(apiKey);
  let warningCount = 0;
  const warn = (sentence: string) => {
    warningCount++;
    process.stderr.write(`${printable(sentence)}\n`);
  };
  const journal = openJournal(service, root, keyHash, warn);
  const tally = createTally(process.stderr, { bars: !values['no-progress'] });
  const outcomes = new Map<string, Promise<Outcome>>();
  const sources = listSources(root, warn);
  let hasFailed = false;
  const importWaiting = async () => {
    while (!hasFailed) {
      // All workers share the generator.
      const { value: source, done } = await sources.next();
      if (done) return;
      if (isInShare(source.name)) await importOne(earshot, source, { journal, tally, outcomes });
    }
  };
  const failure = await runWorkers(songsAtOnce, importWaiting, () => {
    hasFailed = true;
  });
  tally.end();
  console.log(tally.summary());
  if (failure) throw failure.error;
  return tally.failures.length + warningCount > 0 ? EXIT.someFailed : EXIT.ok;
}

type Outcome = { jobId: string; how: 'uploaded' | 'present' };

async function importOne(
  earshot: Earshot,
  source: Source,
  { journal, tally, outcomes }: { journal: Journal; tally: Tally; outcomes: Map<string, Promise<Outcome>> },
): Promise<void> {
  if (journal.has(source)) return tally.count('present');
  let file: Awaited<ReturnType<Source['fetch']>> | null = null;
  try {
    file = await source.fetch();
    if ((await stat(file.path)).size === 0) return tally.fail(source.name, 'The file is empty');
    const sha256 = await sha256OfFile(file.path);
    // A second copy of the same bytes waits for the first: asked now, the service would not have them yet.
    const first = outcomes.get(sha256);
    const song = { path: file.path, fileName: fitFileName(source.fileName), sha256 };
    const outcome = first ?? findOrSubmit(earshot, song);
    if (!first) outcomes.set(sha256, outcome);
    const { jobId, how } = await outcome;
    journal.add(source, { sha256, jobId });
    tally.count(first ? 'present' : how);
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    tally.fail(source.name, (error as Error).message);
  } finally {
    await file?.dispose();
  }
}

type Song = { path: string; fileName: string; sha256: string };

async function findOrSubmit(earshot: Earshot, song: Song): Promise<Outcome> {
  return (await findSong(earshot, song)) ?? submit(earshot, song, `${KEY_PREFIX}${song.sha256}`);
}

async function findSong(earshot: Earshot, { sha256 }: Song): Promise<Outcome | null> {
  const { songs } = await earshot.analyses.find({ sha256, limit: 1 });
  return songs[0] ? { jobId: songs[0].id, how: 'present' } : null;
}

/** Another machine is uploading the same bytes. It gets two minutes, longer than the upload of a song takes. */
const IN_PROGRESS_WAIT_MS = 500;
const IN_PROGRESS_TRIES_MAX = 240;
/** Separates the hash of the file name, which makes a key for bytes that were submitted under another name. */
const NAME_SEPARATOR = '-named-';

async function submit(earshot: Earshot, song: Song, key: string, triesBefore = 0): Promise<Outcome> {
  const input = { file: await openAsBlob(song.path), fileName: song.fileName, idempotencyKey: key };
  try {
    const job = await earshot.analyses.create(input);
    if (!job.data.idempotent_replay) return { jobId: job.id, how: 'uploaded' };
    // Submitted within the last day. If it has been deleted since, it is submitted again under a new key.
    if (await jobExists(earshot, job.id)) return { jobId: job.id, how: 'present' };
    return submit(earshot, song, `${key.slice(0, FIRST_KEY_CHARACTERS)}-after-${job.id}`);
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'object_not_uploaded' && triesBefore < IN_PROGRESS_TRIES_MAX) {
      await delay(IN_PROGRESS_WAIT_MS);
      return submit(earshot, song, key, triesBefore + 1);
    }
    if (code !== 'idempotency_key_reused') throw error;
    // Submitted under another name: either by another machine, whose song will appear, or by a killed run, whose song will not.
    const found = await waitForSong(earshot, song);
    if (found) return found;
    if (key.includes(NAME_SEPARATOR)) throw error;
    return submit(earshot, song, `${key}${NAME_SEPARATOR}${sha256Of(song.fileName).slice(0, 16)}`);
  }
}

async function waitForSong(earshot: Earshot, song: Song): Promise<Outcome | null> {
  for (let tries = 0; tries < IN_PROGRESS_TRIES_MAX; tries += 1) {
    const found = await findSong(earshot, song);
    if (found) return found;
    await delay(IN_PROGRESS_WAIT_MS);
  }
  return null;
}

async function jobExists(earshot: Earshot, jobId: string): Promise<boolean> {
  try {
    await earshot.analyses.get(jobId);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

/** The contract's limit (contract/src/resources/storage-object.ts). */
const FILE_NAME_CHARACTERS_MAX = 255;

/** Cuts long names, which object keys of up to 1024 bytes can have, before the extension and not within a surrogate pair. */
function fitFileName(name: string): string {
  if (name.length <= FILE_NAME_CHARACTERS_MAX) return name;
  const ending = extname(name);
  return name.slice(0, FILE_NAME_CHARACTERS_MAX - ending.length).replace(/[\ud800-\udbff]$/, '') + ending;
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isFileFailure(error: unknown): boolean {
  if (error instanceof ApiError) return FILE_REFUSALS.has(error.code ?? error.status);
  if (error instanceof ObjectRefused || isUnreadable(error)) return true;
  return error instanceof Error && 'code' in error && READ_ERROR_CODES.has(String(error.code));
}

/** "2/8": the second eighth of the songs by the hash of their name, the same on every run. Without a value, all songs. */
function readShare(value: string | undefined): (name: string) => boolean {
  if (value === undefined) return () => true;
  const [part, partCount] = /^\d+\/\d+$/.test(value) ? value.split('/').map(Number) : [];
  if (!part || !partCount || part > partCount)
    throw new UsageError('--share names one of several parts, such as 2/8: the second of eight machines');
  return (name) => createHash('sha256').update(name).digest().readUInt32BE(0) % partCount === part - 1;
}
