import { CRATE_NAME_CHARACTERS_MAX } from '../service-limits.ts';
import { FormDialog } from '../ui/form-dialog.tsx';

export function CrateNameDialog(props: {
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
          title="Must not be blank"
          maxLength={CRATE_NAME_CHARACTERS_MAX}
          defaultValue={initial}
          onFocus={(event) => event.target.select()}
        />
      </label>
    </FormDialog>
  );
}
