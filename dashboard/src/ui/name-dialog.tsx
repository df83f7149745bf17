import type { FormEvent } from 'react';
import { useAction } from '../use-action.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

/** Asks for a name; stays with the problem while it cannot be had. */
export function NameDialog(props: {
  title: string;
  initial: string;
  action: string;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const { title, initial, action, onName, onClose } = props;
  const { busy, problem, run } = useAction();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    if (name && (await run(() => onName(name)))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <label>
          Name
          <input
            name="name"
            required
            maxLength={200}
            defaultValue={initial}
            onFocus={(event) => event.target.select()}
          />
        </label>
        <Problem text={problem} />
        <div className="row">
          <button type="submit" className="main" disabled={busy}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
