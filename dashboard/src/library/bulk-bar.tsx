import type { RequestInput } from '@earshot/sdk';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { earshot } from '../api.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { useTell } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { CRATE_FORMATS, type CrateFormat } from './crate-formats.ts';
import { BATCH_SONGS_MAX, inBatches } from './in-batches.ts';
import { saveFile } from './save-file.ts';
import { collectionsChanged, useCollections } from './use-collections.ts';

type Body = NonNullable<RequestInput<'changeAnalyses'>['body']>;

type BulkProps = { ids: string[]; onDone: () => void; onClear: () => void };

/** What can be done with the songs that are selected. */
export function BulkBar(props: BulkProps) {
  const { ids, onClear } = props;
  const [collections] = useCollections();
  const count = countWords(ids);
  const { busy, change, addTo, addToNew, remove, download } = useBulk(props);
  const opener = (words: string, possible = true) => (
    <button type="button" disabled={busy || !possible}>
      {words}
    </button>
  );
  return (
    <section className="bulk-bar" aria-label="Selected songs">
      <strong>{count}</strong>
      <Menu label="Crates" trigger={opener('Add to a crate')}>
        {(collections.state === 'ready' ? collections.value : []).map(({ id, name }) => (
          <MenuItem key={id} onSelect={() => addTo(id, name)}>
            {name}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onSelect={addToNew}>New crate</MenuItem>
      </Menu>
      <Tagging busy={busy} onTags={(tags) => void change({ action: 'tag', tags }, `${count} tagged.`)} />
      <Menu
        label="Export"
        trigger={
          ids.length > BATCH_SONGS_MAX
            ? opener(`Export (${BATCH_SONGS_MAX} at most)`, false)
            : opener('Export')
        }
      >
        {CRATE_FORMATS.map(([format, name]) => (
          <MenuItem key={format} onSelect={() => download(format)}>
            {name}
          </MenuItem>
        ))}
      </Menu>
      <button
        type="button"
        disabled={busy}
        onClick={() => void change({ action: 'analyse_again' }, `${count} are analysed again.`)}
      >
        Analyse again
      </button>
      <button type="button" className="danger" disabled={busy} onClick={() => void remove()}>
        Delete
      </button>
      <button type="button" className="quiet" onClick={onClear}>
        Clear
      </button>
    </section>
  );
}

function countWords(ids: readonly string[]): string {
  return ids.length === 1 ? '1 song' : `${ids.length} songs`;
}

function useBulk({ ids, onDone }: BulkProps) {
  const action = useAction();
  const tell = useTell();
  const run = (work: () => Promise<void>) =>
    action.run(() => work().catch((error: Error) => tell(error.message)));
  const confirm = useConfirm();
  const count = countWords(ids);
  const change = (body: Omit<Body, 'ids' | 'query'>, words: string) =>
    run(async () => {
      const send = (batch: string[]) => earshot.request('changeAnalyses', { body: { ids: batch, ...body } });
      await inBatches(ids, send, onDone);
      tell(words);
    });
  const addTo = (collectionId: string, name: string) =>
    void change({ action: 'add_to_collection', collection_id: collectionId }, `${count} in ${name}.`);
  const addToNew = () =>
    void run(async () => {
      const name = `Crate of ${new Date().toLocaleDateString(undefined, { dateStyle: 'medium' })}`;
      await earshot.request('createCollection', { body: { name, items: ids } });
      collectionsChanged();
      tell(`${count} in ${name}.`);
      onDone();
    });
  const remove = async () => {
    const yes = await confirm({
      title: `Delete ${count}?`,
      text: 'Audio, analyses, corrections and shared links are deleted. This cannot be undone.',
      action: 'Delete',
    });
    if (yes) await change({ action: 'delete' }, `${count} deleted.`);
  };
  const download = (format: CrateFormat) =>
    void run(async () => {
      const { bytes, songs, fileName } = await earshot.analyses.exportMany({ ids }, format);
      saveFile(bytes, fileName);
      tell(songs === 1 ? '1 song exported.' : `${songs} songs exported.`);
    });
  return { busy: action.busy, change, addTo, addToNew, remove, download };
}

function Tagging({ busy, onTags }: { busy: boolean; onTags: (tags: string[]) => void }) {
  const [open, setOpen] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const tags = String(new FormData(event.currentTarget).get('tags'))
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean);
    setOpen(false);
    if (tags.length > 0) onTags(tags);
  };
  if (!open) {
    return (
      <button type="button" disabled={busy} onClick={() => setOpen(true)}>
        Tag
      </button>
    );
  }
  return (
    <form className="row" onSubmit={submit}>
      <input
        name="tags"
        aria-label="Tags, with commas between"
        placeholder="warm-up, vinyl"
        maxLength={200}
      />
      <button type="submit">Tag</button>
    </form>
  );
}
