import { CRATE_NAME_CHARACTERS_MAX } from '../service-limits.ts';
import { FormDialog } from '../ui/form-dialog.tsx';

export function CrateNameDialog(props: {
  title: string;
  initial: string;
  submitLabel: string;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const { title, initial, submitLabel, onName, onClose } = props;
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
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
