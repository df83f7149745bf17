import { useState } from 'react';
import { listAll } from '../list-all.ts';
import { RequireRole } from '../session.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { useLoad } from '../use-load.ts';
import { ApiKeyTable } from './api-key-table.tsx';
import { type NewKey, NewKeyForm } from './new-key-form.tsx';

export function ApiKeysPage() {
  const [keys, reload] = useLoad(() => listAll('listApiKeys'), 'keys');
  const [newKey, setNewKey] = useState<NewKey | null>(null);
  return (
    <>
      <h1 className="page-head">API keys</h1>
      <RequireRole atLeast="admin">
        <NewKeyForm
          onSubmit={() => setNewKey(null)}
          onCreated={(key) => {
            setNewKey(key);
            reload();
          }}
        />
      </RequireRole>
      <ShownOnce
        message="This is the only time the key is shown. Copy it now."
        secret={newKey?.plaintext_key ?? null}
      />
      <LoadedView loaded={keys} reload={reload}>
        {(list) => (
          <ApiKeyTable
            keys={list}
            onRevoked={(keyId) => {
              setNewKey((key) => (key?.id === keyId ? null : key));
              reload();
            }}
          />
        )}
      </LoadedView>
    </>
  );
}
