import { type FormEvent, useState } from 'react';
import { earshot } from '../api.ts';
import { useLoad } from '../use-load.ts';

const SCOPES = [
  'analyses:create',
  'analyses:read',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
] as const;

export function ApiKeysPage() {
  const [keys, reload] = useLoad(() => earshot.request('listApiKeys', {}), 'keys');
  const [made, setMade] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const scopes = SCOPES.filter((scope) => form.has(scope));
    try {
      const key = await earshot.request('createApiKey', { body: { name: String(form.get('name')), scopes } });
      setMade(key.plaintext_key);
      setProblem(null);
      reload();
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const revoke = async (id: string) => {
    await earshot.request('revokeApiKey', { params: { api_key_id: id } });
    reload();
  };

  return (
    <>
      <h1>API keys</h1>
      <form className="card" onSubmit={create}>
        <h2>New key</h2>
        <div className="row">
          <label>
            Name
            <input name="name" required maxLength={100} />
          </label>
          <button type="submit" className="main">
            Create
          </button>
        </div>
        <fieldset style={{ border: 0, padding: 0 }}>
          <legend className="soft">It may</legend>
          {SCOPES.map((scope) => (
            <label key={scope} style={{ display: 'inline-flex', marginRight: 14 }}>
              <span>
                <input type="checkbox" name={scope} defaultChecked={scope !== 'audit:read'} /> {scope}
              </span>
            </label>
          ))}
        </fieldset>
        {problem && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
      </form>
      {made && (
        <div className="card" role="status">
          <p>This is the only time the key is shown. Copy it now.</p>
          <p className="spread">
            <code>{made}</code>
            <button type="button" onClick={() => navigator.clipboard.writeText(made)}>
              Copy
            </button>
          </p>
        </div>
      )}
      {keys.state === 'loading' && (
        <p className="page-state" aria-busy="true">
          Loading…
        </p>
      )}
      {keys.state === 'failed' && (
        <p className="error" role="alert">
          {keys.error.message}
        </p>
      )}
      {keys.state === 'ready' && (
        <div className="scroll-x">
          <table>
            <thead>
              <tr>
                <th>Name</th>
                <th>Key</th>
                <th>Scopes</th>
                <th>Made</th>
                <th>
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.value.map((key) => (
                <tr key={key.id}>
                  <td>{key.name}</td>
                  <td>
                    <code>{key.prefix}…</code>
                  </td>
                  <td className="soft">{key.scopes.join(', ')}</td>
                  <td>{new Date(key.created_at).toLocaleDateString()}</td>
                  <td>
                    {key.revoked_at ? (
                      <span className="soft">revoked</span>
                    ) : (
                      <button type="button" className="danger" onClick={() => revoke(key.id)}>
                        Revoke
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {keys.value.length === 0 && <p className="page-state">No keys yet.</p>}
        </div>
      )}
    </>
  );
}
