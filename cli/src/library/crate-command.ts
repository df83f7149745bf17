/** `earshot crate`: the collections of the service, which DJs call crates. */

import { writeFile } from 'node:fs/promises';
import type { RequestInput } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { FLAG, readArgs, refuseWords, TEXT } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';

type Order = RequestInput<'proposeCollectionOrder'>['query']['by'];
type Format = RequestInput<'exportCollection'>['query']['format'];

const VERB_OF_OPTION = {
  by: 'order',
  apply: 'order',
  format: 'export',
  folder: 'export',
  out: 'export',
} as const;

export async function runCrate(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    service: TEXT,
    by: TEXT,
    format: TEXT,
    folder: TEXT,
    out: TEXT,
    apply: FLAG,
  });
  const task = readTask(positionals);
  for (const [option, verb] of Object.entries(VERB_OF_OPTION))
    if (verb !== task.verb && values[option as keyof typeof VERB_OF_OPTION])
      throw new UsageError(`--${option} goes with earshot crate ${verb}`);
  const { collections } = connect({ service: values.service }).earshot;
  if (task.verb === 'list') {
    let crateCount = 0;
    for await (const one of collections.list()) {
      console.log(printable(`${one.id}  ${counted(one.item_count, 'song')}  ${one.name}`));
      crateCount += 1;
    }
    console.error(counted(crateCount, 'crate'));
  } else if (task.verb === 'create') {
    console.log((await collections.create({ name: task.name, items: task.songs })).id);
  } else if (task.verb === 'show') {
    const { items } = await collections.get(task.id);
    for (const item of items) console.log(formatItem(item));
    console.error(counted(items.length, 'song'));
  } else if (task.verb === 'add') {
    console.log(counted((await collections.add(task.id, task.songs)).item_count, 'song'));
  } else if (task.verb === 'delete') {
    await collections.delete(task.id);
    console.log(`${task.id} is deleted; its songs stay.`);
  } else if (task.verb === 'order') {
    const seen = await collections.get(task.id);
    const { steps } = await collections.order(seen.id, (values.by ?? 'harmonic') as Order);
    for (const step of steps) console.log(`${formatItem(step)}\n      ${step.reason}`);
    if (values.apply) {
      const ids = steps.map((step) => step.job_id);
      await collections.replaceItems(seen.id, ids, seen.version);
    }
  } else {
    const bytes = await collections.export(task.id, (values.format ?? 'rekordbox') as Format, values.folder);
    if (values.out === undefined) process.stdout.write(bytes);
    else await writeFile(values.out, bytes);
  }
  return EXIT.ok;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const VERBS_OF_ONE = ['show', 'order', 'export', 'delete'] as const;

type Task =
  | { verb: 'list' }
  | { verb: 'create'; name: string; songs: string[] }
  | { verb: 'add'; id: string; songs: string[] }
  | { verb: (typeof VERBS_OF_ONE)[number]; id: string };

function readTask([verb = 'list', ...words]: readonly string[]): Task {
  if (verb === 'list') {
    refuseWords(words);
    return { verb };
  }
  const [target, ...songs] = words;
  if (verb === 'create') {
    if (!target) throw new UsageError('a crate needs a name: earshot crate create "Friday" job_…');
    return { verb, name: target, songs };
  }
  const ofOne = VERBS_OF_ONE.find((name) => name === verb);
  if (verb !== 'add' && ofOne === undefined)
    throw new UsageError(
      `crate has no verb "${verb}". There are: list, create, show, add, order, export, delete`,
    );
  if (!target) throw new UsageError(`which crate? earshot crate ${verb} col_…`);
  if (ofOne !== undefined) {
    refuseWords(songs);
    return { verb: ofOne, id: target };
  }
  if (songs.length === 0) throw new UsageError(`which songs? earshot crate add ${target} job_…`);
  return { verb: 'add', id: target, songs };
}

type Item = {
  job_id: string;
  title: string | null;
  artist: string | null;
  bpm: number | null;
  camelot: string | null;
};

function formatItem({ job_id, title, artist, bpm, camelot }: Item): string {
  return printable(
    `${job_id}  ${bpm === null ? '–' : `${bpm.toFixed(1)} BPM`}  ${camelot ?? '–'}  ${[artist, title].filter(Boolean).join(' – ')}`,
  );
}
