import type { ReactNode } from 'react';
import { onFormSubmit } from '../on-form-submit.ts';
import { useAction } from '../use-action.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

/** A dialog with a form; it closes once saved, and stays open with the error message otherwise. While it saves, it cannot be closed. */
export function FormDialog(props: {
  title: string;
  submitLabel: string;
  onSave: (form: FormData) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, submitLabel, onSave, onClose, children } = props;
  const { busy, problem, run } = useAction();
  const save = async (form: FormData) => {
    if (await run(() => onSave(form))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose} isLocked={busy}>
      <form className="stack" onSubmit={onFormSubmit((form) => void save(form))}>
        {children}
        <Problem text={problem} />
        <div className="row">
          <button type="submit" className="main" disabled={busy}>
            {submitLabel}
          </button>
          <button type="button" onClick={onClose} disabled={busy}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
