import type { RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { onFormSubmit } from '../on-form-submit.ts';
import { API_KEY_NAME_CHARACTERS_MAX } from '../service-limits.ts';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { SCOPE_LABELS, SCOPES, type Scope } from './key-scopes.ts';

export type NewKey = RequestOutput<'createApiKey'>;

/** The audit log holds personal data, such as IP addresses: reading it has to be chosen, as for the key made at registration. */
const isCheckedByDefault = (scope: Scope) => scope !== 'audit:read';

/** Calls `onSubmit` before each attempt and `onCreated` after one that succeeded. */
export function NewKeyForm({
  onSubmit,
  onCreated,
}: {
  onSubmit: () => void;
  onCreated: (key: NewKey) => void;
}) {
  const { busy, problem, run } = useAction();
  const create = onFormSubmit((values, form) => {
    const scopes = SCOPES.filter((scope) => values.has(scope));
    onSubmit();
    void run(async () => {
      if (scopes.length === 0) throw new Error('Tick at least one permission.');
      onCreated(
        await earshot.request('createApiKey', { body: { name: String(values.get('name')), scopes } }),
      );
      form.reset();
    });
  });
  return (
    <form className="card stack" onSubmit={create}>
      <h2>New key</h2>
      <div className="row end">
        <label>
          Name
          <input name="name" required maxLength={API_KEY_NAME_CHARACTERS_MAX} />
        </label>
        <button type="submit" className="main" disabled={busy}>
          Create
        </button>
      </div>
      <fieldset className="row choices">
        <legend>Permissions</legend>
        {SCOPES.map((scope) => (
          <label key={scope} className="choice">
            <input type="checkbox" name={scope} defaultChecked={isCheckedByDefault(scope)} />{' '}
            {SCOPE_LABELS[scope]}
          </label>
        ))}
      </fieldset>
      <Problem text={problem} />
    </form>
  );
}
