import type { RequestInput, RequestOutput } from '@earshot/sdk';
import { type FormEvent, useState } from 'react';
import { earshot } from '../api.ts';
import { formatDay, formatMoment } from '../format.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { useAction } from '../use-action.ts';
import { listAll } from '../use-list.ts';
import { useLoad } from '../use-load.ts';

type Scope = RequestInput<'createApiKey'>['body']['scopes'][number];

/** What each scope lets a key do, in words; the compiler says when one is missing. */
const SCOPE_WORDS: Record<Scope, string> = {
  'analyses:create': 'submit songs',
  'analyses:write': 'describe, correct and group songs',
  'analyses:read': 'read results',
  'usage:read': 'read usage',
  'webhooks:read': 'read webhooks',
  'webhooks:write': 'change webhooks',
  'audit:read': 'read the audit log',
};
const SCOPES = Object.keys(SCOPE_WORDS) as Scope[];

type ApiKey = RequestOutput<'listApiKeys'>[number];

export function ApiKeysPage() {
  const [keys, reload] = useLoad(() => listAll('listApiKeys'), 'keys');
  const [made, setMade] = useState<string | null>(null);
  const { busy, problem, run } = useAction();

  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    const scopes = SCOPES.filter((scope) => values.has(scope));
    void run(async () => {
      const key = await earshot.request('createApiKey', {
        body: { name: String(values.get('name')), scopes },
      });
      setMade(key.plaintext_key);
      form.reset();
    }).then(reload);
  };
  const confirm = useConfirm();
  const revoke = async ({ id, name }: ApiKey) => {
    const yes = await confirm({
      title: `Revoke ${name}?`,
      text: 'Programs that use this key stop working at once. This cannot be undone.',
      action: 'Revoke',
    });
    if (yes) void run(() => earshot.request('revokeApiKey', { params: { api_key_id: id } })).then(reload);
  };

  const columns: Column<ApiKey>[] = [
    { title: 'Name', cell: (key) => <span className="key-name">{key.name}</span> },
    { title: 'Key', cell: (key) => <code>{key.prefix}…</code> },
    {
      title: 'Permissions',
      cell: (key) => (
        <span className="soft">{key.scopes.map((scope) => SCOPE_WORDS[scope]).join(', ') || 'nothing'}</span>
      ),
    },
    { title: 'Created', cell: (key) => <span className="nowrap">{formatDay(key.created_at)}</span> },
    {
      title: 'Last used',
      cell: (key) => (
        <span className="nowrap">{key.last_used_at ? formatMoment(key.last_used_at) : 'never'}</span>
      ),
    },
    {
      title: 'Actions',
      titleHidden: true,
      cell: (key) =>
        key.revoked_at ? (
          <span className="soft">revoked</span>
        ) : (
          <button type="button" className="danger" disabled={busy} onClick={() => void revoke(key)}>
            Revoke
          </button>
        ),
    },
  ];
  return (
    <>
      <h1 className="page-head">API keys</h1>
      <form className="card stack" onSubmit={create}>
        <h2>New key</h2>
        <div className="row end">
          <label>
            Name
            <input name="name" required maxLength={100} />
          </label>
          <button type="submit" className="main" disabled={busy}>
            Create
          </button>
        </div>
        <fieldset className="row choices">
          <legend>Permissions</legend>
          {SCOPES.map((scope) => (
            <label key={scope} className="choice">
              <input type="checkbox" name={scope} defaultChecked={scope !== 'audit:read'} />{' '}
              {SCOPE_WORDS[scope]}
            </label>
          ))}
        </fieldset>
      </form>
      <Problem text={problem} />
      <ShownOnce words="This is the only time the key is shown. Copy it now." secret={made} />
      <LoadedView loaded={keys} reload={reload}>
        {(list) => (
          <DataTable
            label="API keys"
            columns={columns}
            rows={list}
            rowKey={(key) => key.id}
            empty="No keys yet."
          />
        )}
      </LoadedView>
    </>
  );
}
