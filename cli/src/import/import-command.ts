/**
 * `earshot import FOLDER|s3://BUCKET/PREFIX`: hands over every song that the service does not have yet.
 *
 * A song is known by the SHA-256 of its bytes: the service is asked for it before anything is sent, and the same hash is the
 * idempotency key of the submission, so that two machines that come upon the same bytes in the same moment make one analysis.
 * Nothing that must not be lost is kept here: a run that is killed is repeated, and goes on where it was.
 */

import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Earshot } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { isUnreadable } from '../is-unreadable.ts';
import { printable } from '../printable.ts';
import { FLAG, readArgs, readSongsAtOnce, TEXT } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import { workTogether } from '../work-together.ts';
import { ObjectRefused } from './bucket.ts';
import { type Journal, openJournal } from './journal.ts';
import { listSources, type Source } from './sources.ts';
import { createTally, type Tally } from './tally.ts';

/** Chosen, as for analyses through the service. */
const SONGS_AT_ONCE_DEFAULT = 4;
const KEY_PREFIX = 'import-';
/** Of the key of a song that was handed over for the first time: the prefix and the 64 digits of a SHA-256. */
const KEY_CHARACTERS = KEY_PREFIX.length + 64;

/**
 * Refusals of one file: by their code, and by their status where they have none, as what the contract does not take (422) and what is
 * too large for a proxy (413). Every other one ends the run: a key, a plan or a service that fails would meet every file.
 */
const OF_THE_FILE = new Set<string | number>(['payload_too_large', 'unsupported_media', 422, 413]);
const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EBUSY', 'EIO', 'ELOOP']);

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
  const isMine = readShare(values.share);
  const { earshot, service, apiKey } = connect({ service: values.service });
  const keyHash = sha256Of(apiKey);
  const journal = openJournal(service, root, keyHash);
  const tally = createTally(process.stderr, { bars: !values['no-progress'] });
  const sent = new Map<string, Promise<Outcome>>();
  let warningCount = 0;
  // Before the first song, so that no line of the tally is drawn yet.
  const sources = listSources(root, (sentence) => {
    warningCount++;
    process.stderr.write(`${printable(sentence)}\n`);
  });
  let isBroken = false;
  const importWaiting = async () => {
    while (!isBroken) {
      // One generator for all: each takes the next when it is free.
      const { value: source, done } = await sources.next();
      if (done) return;
      if (isMine(source.name)) await importOne(earshot, source, { journal, tally, sent });
    }
  };
  const failure = await workTogether(songsAtOnce, importWaiting, () => {
    isBroken = true;
  });
  tally.end();
  console.log(tally.summary());
  if (failure) throw failure.error;
  return tally.failures.length + warningCount > 0 ? EXIT.someFailed : EXIT.ok;
}

type Outcome = { jobId: string; how: 'sent' | 'there' };

async function importOne(
  earshot: Earshot,
  source: Source,
  { journal, tally, sent }: { journal: Journal; tally: Tally; sent: Map<string, Promise<Outcome>> },
): Promise<void> {
  if (journal.has(source)) return tally.count('there');
  let file: Awaited<ReturnType<Source['fetch']>> | null = null;
  try {
    file = await source.fetch();
    if ((await stat(file.path)).size === 0) return tally.fail(source.name, 'The file is empty');
    const sha256 = await hashFile(file.path);
    // Copies within one folder: whoever comes second waits for the first instead of asking too early.
    const first = sent.get(sha256);
    const song = { path: file.path, fileName: fitFileName(source.fileName), sha256 };
    const outcome = first ?? handOver(earshot, song);
    if (!first) sent.set(sha256, outcome);
    const { jobId, how } = await outcome;
    journal.add(source, { sha256, jobId });
    tally.count(first ? 'there' : how);
  } catch (error) {
    if (!isOfTheFile(error)) throw error;
    tally.fail(source.name, (error as Error).message);
  } finally {
    await file?.dispose();
  }
}

type Song = { path: string; fileName: string; sha256: string };

async function handOver(earshot: Earshot, song: Song): Promise<Outcome> {
  return (await findSong(earshot, song)) ?? submit(earshot, song, `${KEY_PREFIX}${song.sha256}`);
}

async function findSong(earshot: Earshot, { sha256 }: Song): Promise<Outcome | null> {
  const { songs } = await earshot.analyses.find({ sha256, limit: 1 });
  return songs[0] ? { jobId: songs[0].id, how: 'there' } : null;
}

/** Another machine hands over the very same bytes in this moment. Two minutes for it to be done: chosen, an upload takes less. */
const IN_HAND = new Set(['idempotency_in_progress', 'object_not_uploaded']);
const IN_HAND_WAIT_MS = 500;
const IN_HAND_TRIES = 240;
const NAMED = '-named-';

async function submit(earshot: Earshot, song: Song, key: string, tries = 0): Promise<Outcome> {
  const input = { file: await openAsBlob(song.path), fileName: song.fileName, idempotencyKey: key };
  try {
    const job = await earshot.analyses.create(input);
    if (!job.data.idempotent_replay) return { jobId: job.id, how: 'sent' };
    // Handed over within the last day, and perhaps deleted since: then it is wanted again.
    if (await isThere(earshot, job.id)) return { jobId: job.id, how: 'there' };
    return submit(earshot, song, `${key.slice(0, KEY_CHARACTERS)}-after-${job.id}`);
  } catch (error) {
    const code = error instanceof ApiError ? (error.code ?? '') : '';
    if (IN_HAND.has(code) && tries < IN_HAND_TRIES) {
      await delay(IN_HAND_WAIT_MS);
      return submit(earshot, song, key, tries + 1);
    }
    if (code !== 'idempotency_key_reused') throw error;
    // Under another name: by another machine, then the song is soon there; or by a run that was killed, then it never is.
    const there = await waitForSong(earshot, song);
    if (there) return there;
    if (key.includes(NAMED)) throw error;
    return submit(earshot, song, `${key}${NAMED}${sha256Of(song.fileName).slice(0, 16)}`);
  }
}

async function waitForSong(earshot: Earshot, song: Song): Promise<Outcome | null> {
  for (let tries = 0; tries < IN_HAND_TRIES; tries += 1) {
    const there = await findSong(earshot, song);
    if (there) return there;
    await delay(IN_HAND_WAIT_MS);
  }
  return null;
}

async function isThere(earshot: Earshot, jobId: string): Promise<boolean> {
  try {
    await earshot.analyses.get(jobId);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

/** Of the contract. */
const FILE_NAME_CHARACTERS_MAX = 255;

/** Cut before its ending, to whole characters: the key of an object has up to 1024 bytes. */
function fitFileName(name: string): string {
  if (name.length <= FILE_NAME_CHARACTERS_MAX) return name;
  const ending = extname(name);
  return name.slice(0, FILE_NAME_CHARACTERS_MAX - ending.length).replace(/[\ud800-\udbff]$/, '') + ending;
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function isOfTheFile(error: unknown): boolean {
  if (error instanceof ApiError) return OF_THE_FILE.has(error.code ?? error.status);
  if (error instanceof ObjectRefused || isUnreadable(error)) return true;
  return error instanceof Error && 'code' in error && UNREADABLE.has(String(error.code));
}

/** "2/8": this machine's eighth of the names, the same on every run; without it, all of them. */
function readShare(value: string | undefined): (name: string) => boolean {
  if (value === undefined) return () => true;
  const [number = 0, of = 0] = value.split('/').map(Number);
  if (!Number.isInteger(number) || !Number.isInteger(of) || number < 1 || number > of)
    throw new UsageError('--share is one part of all, as 2/8: the second of eight machines');
  return (name) => createHash('sha256').update(name).digest().readUInt32BE(0) % of === number - 1;
}
