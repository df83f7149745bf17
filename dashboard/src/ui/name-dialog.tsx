import { FormDialog } from './form-dialog.tsx';

/** Asks for a name. */
export function NameDialog(props: {
  title: string;
  initial: string;
  action: string;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const { title, initial, action, onName, onClose } = props;
  return (
    <FormDialog
      title={title}
      action={action}
      onSave={(form) => onName(String(form.get('name')).trim())}
      onClose={onClose}
    >
      <label>
        Name
        <input
          name="name"
          required
          pattern=".*\S.*"
          title="A name, not only spaces"
          maxLength={200}
          defaultValue={initial}
          onFocus={(event) => event.target.select()}
        />
      </label>
    </FormDialog>
  );
}
