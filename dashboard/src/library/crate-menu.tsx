import { type ReactElement, useState } from 'react';
import { earshot } from '../api.ts';
import { formatSongCount } from '../format.ts';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { useToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { changeInBatches } from './change-in-batches.ts';
import { CrateNameDialog } from './crate-name-dialog.tsx';
import { notifyCratesChanged, useCrates } from './use-crates.ts';

/** Adds songs to an existing crate or to a new one. */
export function CrateMenu(props: { ids: string[]; disabled?: boolean; onDone?: () => void }) {
  const { ids, disabled, onDone } = props;
  const { busy, run } = useAction();
  const showToast = useToast();
  const [naming, setNaming] = useState(false);
  const message = (name: string) => `${formatSongCount(ids.length)} in ${name}.`;
  const addTo = (crateId: string, name: string) =>
    void run(async () => {
      const send = (batch: string[]) =>
        earshot.request('changeAnalyses', {
          body: { ids: batch, action: 'add_to_collection', collection_id: crateId },
        });
      await changeInBatches(ids, send, () => onDone?.()).then(
        () => showToast(message(name)),
        (error: Error) => showToast(error.message),
      );
    });
  const addToNew = async (name: string) => {
    await earshot.request('createCollection', { body: { name, items: ids } });
    notifyCratesChanged();
    showToast(message(name));
    onDone?.();
  };
  return (
    <>
      <Menu
        trigger={
          <button type="button" disabled={disabled || busy}>
            Add to a crate
          </button>
        }
      >
        <CrateItems onNew={() => setNaming(true)} onChoose={addTo} />
      </Menu>
      {naming && (
        <CrateNameDialog
          title="New crate"
          initial={`Crate of ${new Date().toLocaleDateString(undefined, { dateStyle: 'medium' })}`}
          submitLabel="Make the crate"
          onName={addToNew}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

/** Loads the crates when the menu opens. Nothing can be chosen until then, since the arriving items would shift under the pointer. */
function CrateItems(props: {
  onNew: () => void;
  onChoose: (id: string, name: string) => void;
}): ReactElement {
  const { onNew, onChoose } = props;
  const [crates] = useCrates();
  if (crates.state === 'loading') return <MenuText>Loading…</MenuText>;
  return (
    <>
      <MenuItem onSelect={onNew}>New crate</MenuItem>
      <MenuLine />
      {crates.state === 'failed' && <MenuText>{crates.error.message}</MenuText>}
      {crates.state === 'ready' &&
        crates.value.map(({ id, name }) => (
          <MenuItem key={id} onSelect={() => onChoose(id, name)}>
            {name}
          </MenuItem>
        ))}
    </>
  );
}

function MenuText({ children }: { children: string }): ReactElement {
  return (
    <MenuItem disabled onSelect={() => {}}>
      {children}
    </MenuItem>
  );
}
