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

const VERBS = ['list', 'create', 'show', 'add', 'order', 'export', 'delete'];

export async function runCrate(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    service: TEXT,
    by: TEXT,
    format: TEXT,
    folder: TEXT,
    out: TEXT,
    apply: FLAG,
  });
  const [verb = 'list', target = '', ...songs] = positionals;
  if (!VERBS.includes(verb))
    throw new UsageError(`crate has no verb "${verb}". There are: ${VERBS.join(', ')}`);
  if (verb === 'list') refuseWords(positionals.slice(1));
  else if (target === '')
    throw new UsageError(
      verb === 'create'
        ? 'a crate needs a name: earshot crate create "Friday" job_…'
        : `which crate? earshot crate ${verb} col_…`,
    );
  else if (verb === 'add' && songs.length === 0)
    throw new UsageError(`which songs? earshot crate add ${target} job_…`);
  else if (verb !== 'create' && verb !== 'add') refuseWords(songs);
  for (const [option, itsVerb] of Object.entries(VERB_OF_OPTION))
    if (itsVerb !== verb && values[option as keyof typeof VERB_OF_OPTION])
      throw new UsageError(`--${option} goes with earshot crate ${itsVerb}`);
  const { collections } = connect({ service: values.service }).earshot;
  if (verb === 'list') {
    let crateCount = 0;
    for await (const one of collections.list()) {
      console.log(printable(`${one.id}  ${counted(one.item_count, 'song')}  ${one.name}`));
      crateCount += 1;
    }
    console.error(counted(crateCount, 'crate'));
  } else if (verb === 'create') {
    console.log((await collections.create({ name: target, items: songs })).id);
  } else if (verb === 'show') {
    const { items } = await collections.get(target);
    for (const item of items) console.log(formatItem(item));
    console.error(counted(items.length, 'song'));
  } else if (verb === 'add') {
    console.log(counted((await collections.add(target, songs)).item_count, 'song'));
  } else if (verb === 'delete') {
    await collections.delete(target);
    console.log(`${target} is deleted; its songs stay.`);
  } else if (verb === 'order') {
    const crate = await collections.get(target);
    const { steps } = await collections.order(crate.id, (values.by ?? 'harmonic') as Order);
    for (const step of steps) console.log(`${formatItem(step)}\n      ${step.reason}`);
    if (values.apply) {
      const ids = steps.map((step) => step.job_id);
      await collections.replaceItems(crate.id, ids, crate.version);
    }
  } else {
    const bytes = await collections.export(target, (values.format ?? 'rekordbox') as Format, values.folder);
    if (values.out === undefined) process.stdout.write(bytes);
    else await writeFile(values.out, bytes);
  }
  return EXIT.ok;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
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
