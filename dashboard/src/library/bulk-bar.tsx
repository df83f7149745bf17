import type { RequestInput } from '@earshot/sdk';
import { useState } from 'react';
import { earshot } from '../api.ts';
import { formatSongCount } from '../format.ts';
import { onFormSubmit } from '../on-form-submit.ts';
import { BATCH_SONGS_MAX, TAGS_CHARACTERS_MAX } from '../service-limits.ts';
import { RequireRole } from '../session.tsx';
import { useConfirm } from '../ui/confirm.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { changeInBatches } from './change-in-batches.ts';
import { CRATE_FORMATS, type CrateFormat } from './crate-formats.ts';
import { CrateMenu } from './crate-menu.tsx';
import { hiddenWarning, selectionText } from './hidden-songs.ts';
import { parseTags } from './parse-tags.ts';
import { saveExport } from './save-export.ts';

type Body = NonNullable<RequestInput<'changeAnalyses'>['body']>;

type BulkProps = { ids: string[]; hiddenCount: number; onDone: () => void; onClear: () => void };

export function BulkBar(props: BulkProps) {
  const { ids, hiddenCount, onDone, onClear } = props;
  const count = formatSongCount(ids.length);
  const { busy, change, remove, download } = useBulkActions(props);
  const isTooMany = ids.length > BATCH_SONGS_MAX;
  return (
    <section className="bulk-bar" aria-label="Selected songs">
      <strong role="status">{selectionText(ids.length, hiddenCount)}</strong>
      <RequireRole atLeast="member">
        <CrateMenu ids={ids} disabled={busy} onDone={onDone} />
        <TagForm busy={busy} onTags={(tags) => void change({ action: 'tag', tags }, `${count} tagged.`)} />
      </RequireRole>
      <Menu
        trigger={
          <button type="button" disabled={busy || isTooMany}>
            {isTooMany ? `Export (${BATCH_SONGS_MAX} at most)` : 'Export'}
          </button>
        }
      >
        {CRATE_FORMATS.map(([format, name]) => (
          <MenuItem key={format} onSelect={() => download(format)}>
            {name}
          </MenuItem>
        ))}
      </Menu>
      <RequireRole atLeast="member">
        <button
          type="button"
          disabled={busy}
          onClick={() => void change({ action: 'analyse_again' }, `${count} are being analysed again.`)}
        >
          Analyse again
        </button>
        <button type="button" className="danger" disabled={busy} onClick={() => void remove()}>
          Delete
        </button>
      </RequireRole>
      <button type="button" className="quiet" onClick={onClear}>
        Clear
      </button>
    </section>
  );
}

function useBulkActions({ ids, hiddenCount, onDone }: BulkProps) {
  const action = useAction();
  const showToast = useToast();
  const run = (work: () => Promise<void>) =>
    action.run(() => work().catch((error: Error) => showToast(error.message)));
  const confirm = useConfirm();
  const count = formatSongCount(ids.length);
  const change = (body: Omit<Body, 'ids' | 'query'>, message: string) =>
    run(async () => {
      const send = (batch: string[]) => earshot.request('changeAnalyses', { body: { ids: batch, ...body } });
      await changeInBatches(ids, send, onDone);
      showToast(message);
    });
  const remove = async () => {
    const yes = await confirm({
      title: `Delete ${count}?`,
      text: `${hiddenWarning(ids.length, hiddenCount)}Audio, analyses, corrections and shared links are deleted. This cannot be undone.`,
      action: 'Delete',
    });
    if (yes) await change({ action: 'delete' }, `${count} deleted.`);
  };
  const download = (format: CrateFormat) =>
    void run(async () => {
      showToast(await saveExport(ids, format));
    });
  return { busy: action.busy, change, remove, download };
}

function TagForm({ busy, onTags }: { busy: boolean; onTags: (tags: string[]) => void }) {
  const [open, setOpen] = useState(false);
  const submit = onFormSubmit((values) => {
    const tags = parseTags(String(values.get('tags')));
    setOpen(false);
    if (tags.length > 0) onTags(tags);
  });
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
        maxLength={TAGS_CHARACTERS_MAX}
      />
      <button type="submit">Tag</button>
    </form>
  );
}
