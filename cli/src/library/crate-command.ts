/** `earshot crate`: collections of the service. */

import { writeFile } from 'node:fs/promises';
import type { RequestInput } from '@earshot/sdk';
import { connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { readArgs, UsageError } from '../usage-error.ts';

const text = { type: 'string' } as const;
type Order = RequestInput<'proposeCollectionOrder'>['query']['by'];
type Format = RequestInput<'exportCollection'>['query']['format'];

export async function runCrate(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      service: text,
      by: text,
      format: text,
      folder: text,
      out: text,
      apply: { type: 'boolean', default: false },
    },
  });
  const [verb = 'list', id, ...songs] = positionals;
  const { collections } = connect({ service: values.service }).earshot;
  const needed = () => {
    if (!id) throw new UsageError(`which crate? earshot crate ${verb} col_…`);
    return id;
  };
  if (verb === 'list') {
    for await (const one of collections.list())
      console.log(`${one.id}  ${one.item_count} songs  ${one.name}`);
  } else if (verb === 'create') {
    if (!id) throw new UsageError('a crate needs a name: earshot crate create "Friday" job_…');
    console.log((await collections.create({ name: id, items: songs })).id);
  } else if (verb === 'show') {
    for (const item of (await collections.get(needed())).items) console.log(formatItem(item));
  } else if (verb === 'add') {
    console.log(`${(await collections.add(needed(), songs)).item_count} songs`);
  } else if (verb === 'delete') {
    await collections.delete(needed());
    console.log(`${id} is deleted; its songs stay.`);
  } else if (verb === 'order') {
    const seen = await collections.get(needed());
    const { steps } = await collections.order(seen.id, (values.by ?? 'harmonic') as Order);
    for (const step of steps) console.log(`${formatItem(step)}\n      ${step.reason}`);
    if (values.apply) {
      const ids = steps.map((step) => step.job_id);
      await collections.replaceItems(seen.id, ids, seen.version);
    }
  } else if (verb === 'export') {
    const bytes = await collections.export(needed(), (values.format ?? 'rekordbox') as Format, values.folder);
    if (values.out === undefined) process.stdout.write(bytes);
    else await writeFile(values.out, bytes);
  } else {
    throw new UsageError(
      `crate has no verb "${verb}". There are: list, create, show, add, order, export, delete`,
    );
  }
  return EXIT.ok;
}

type Item = {
  job_id: string;
  title: string | null;
  artist: string | null;
  bpm: number | null;
  camelot: string | null;
};

function formatItem({ job_id, title, artist, bpm, camelot }: Item): string {
  return `${job_id}  ${bpm === null ? '–' : `${bpm.toFixed(1)} BPM`}  ${camelot ?? '–'}  ${[artist, title].filter(Boolean).join(' – ')}`;
}
