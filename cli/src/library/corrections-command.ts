/**
 * `earshot corrections export`: the corrections as a corpus for `npm run evaluate`, one JSON file per song. It contains only corrected
 * values: the others come from the engine, which cannot be measured by its own results. Lists of beats and downbeats are whole: who
 * corrects some of them leaves the rest because they are right.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { explainUnreadable } from '@earshot/mcp/open-file';
import type { Earshot, RequestOutput } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { findAudioFiles } from '../analyze/find-audio-files.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { readArgs, refuseWords, TEXT } from '../read-args.ts';
import { sha256OfFile } from '../sha256-of-file.ts';
import { UsageError } from '../usage-error.ts';

/** The largest page the contract allows (contract/src/resources/library.ts). */
const PAGE_SONGS = 200;

type Result = NonNullable<Awaited<ReturnType<Earshot['analyses']['result']>>['result']>;
type Correction = RequestOutput<'getCorrections'>;

export async function runCorrections(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, { service: TEXT, out: TEXT, audio: TEXT });
  const [verb, ...words] = positionals;
  if (verb !== 'export' || values.out === undefined)
    throw new UsageError(
      'corrections has one verb: earshot corrections export --out CORPUS [--audio FOLDER]',
    );
  refuseWords(words);
  const { earshot } = connect({ service: values.service });
  const out = values.out;
  mkdirSync(out, { recursive: true });
  let warningCount = 0;
  const warn = (sentence: string) => {
    warningCount += 1;
    console.error(printable(sentence));
  };
  const audioPaths = values.audio === undefined ? null : await hashFolder(values.audio, warn);
  let writtenCount = 0;
  let leftOutCount = 0;
  for await (const job of earshot.analyses.list({ status: 'completed', pageSize: PAGE_SONGS })) {
    if (!job.headline?.corrected) continue;
    const { result } = await earshot.analyses.result(job.id);
    if (!result?.corrections) continue;
    const sha256 = result.file?.sha256;
    const path = sha256 ? audioPaths?.get(sha256) : undefined;
    // The evaluation would stop at a song without audio.
    if (audioPaths && path === undefined) {
      leftOutCount += 1;
      continue;
    }
    const correction = await earshot.request('getCorrections', { params: { job_id: job.id } });
    const audio = path === undefined ? (job.file_name ?? job.id) : relative(out, path);
    const truth = { id: job.id, audio, ...truthOf(result, correction) };
    writeFileSync(join(out, `${job.id}.json`), `${JSON.stringify(truth)}\n`);
    writtenCount += 1;
  }
  const leftOut =
    leftOutCount === 0 ? '' : `; ${leftOutCount} left out, whose audio is not in ${values.audio}`;
  console.log(`${writtenCount} corrected ${writtenCount === 1 ? 'song' : 'songs'} in ${out}${leftOut}`);
  return warningCount > 0 ? EXIT.someFailed : EXIT.ok;
}

function truthOf(result: Result, { beats_per_bar, chords }: Correction) {
  // `correction.kinds` may have more: a part that no longer fits what a newer engine heard is not applied.
  const kinds = new Set<string>(result.corrections?.kinds ?? []);
  const beats = result.rhythm?.beats ?? [];
  const chordStarts = new Set(chords?.map(({ start_seconds }) => start_seconds));
  // Of the two lists of chords, this one has what the person wrote; the other only its triads.
  const corrected = result.tonal?.chords_sevenths.filter((chord) => chordStarts.has(chord.start_seconds));
  return {
    duration: result.duration_seconds,
    ...(kinds.has('tempo') && { tempo_bpm: result.bpm }),
    ...((kinds.has('tempo') || kinds.has('beats')) && { beats: beats.map((beat) => beat.time_seconds) }),
    ...(kinds.has('bars') && {
      downbeats: beats.filter((beat) => beat.beat_in_bar === 1).map((beat) => beat.time_seconds),
      ...(beats_per_bar !== null && { time_signature: `${beats_per_bar}/4` }),
    }),
    ...(kinds.has('key') && { key: `${result.key}:${result.scale === 'minor' ? 'min' : 'maj'}` }),
    ...(kinds.has('chords') && { chords: spansOf(corrected) }),
    ...(kinds.has('sections') && { sections: spansOf(result.structure?.sections) }),
    provenance: {
      corrections: result.corrections,
      engine_version: result.provenance?.engine_version ?? null,
    },
  };
}

function spansOf(parts: readonly { start_seconds: number; end_seconds: number; label: string }[] = []) {
  return parts.map(({ start_seconds, end_seconds, label }) => ({
    start: start_seconds,
    end: end_seconds,
    label,
  }));
}

/** The path of each audio file by its SHA-256. */
async function hashFolder(folder: string, warn: (sentence: string) => void): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const path of findAudioFiles([folder], { exceptFolder: null, warn })) {
    try {
      paths.set(await sha256OfFile(path), path);
    } catch (error) {
      warn(explainUnreadable(path, error as NodeJS.ErrnoException));
    }
  }
  return paths;
}
