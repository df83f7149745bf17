import type { RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { formatDay, formatMoment } from '../format.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { SCOPE_LABELS } from './key-scopes.ts';

type ApiKey = RequestOutput<'listApiKeys'>[number];

export function ApiKeyTable({ keys, onRevoked }: { keys: ApiKey[]; onRevoked: (keyId: string) => void }) {
  const { busy, problem, run } = useAction();
  const confirm = useConfirm();
  const revoke = async ({ id, name }: ApiKey) => {
    const yes = await confirm({
      title: `Revoke ${name}?`,
      text: 'Programs that use this key stop working at once. This cannot be undone.',
      action: 'Revoke',
    });
    if (!yes) return;
    const done = await run(() => earshot.request('revokeApiKey', { params: { api_key_id: id } }));
    if (done) onRevoked(id);
  };
  const actions: Column<ApiKey> = {
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
  };
  return (
    <>
      <Problem text={problem} />
      <DataTable
        label="API keys"
        columns={[...FACTS, actions]}
        rows={keys}
        rowKey={(key) => key.id}
        empty="No keys yet."
      />
    </>
  );
}

const FACTS: Column<ApiKey>[] = [
  { title: 'Name', cell: (key) => <span className="key-name">{key.name}</span> },
  { title: 'Key', cell: (key) => <code>{key.prefix}…</code> },
  {
    title: 'Permissions',
    cell: (key) => (
      <span className="soft">{key.scopes.map((scope) => SCOPE_LABELS[scope]).join(', ') || 'nothing'}</span>
    ),
  },
  { title: 'Created', cell: (key) => <span className="nowrap">{formatDay(key.created_at)}</span> },
  {
    title: 'Last used',
    cell: (key) => (
      <span className="nowrap">{key.last_used_at ? formatMoment(key.last_used_at) : 'never'}</span>
    ),
  },
];
