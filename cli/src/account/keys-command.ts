/** `earshot keys [list | create NAME | revoke ID]` */

import type { RequestInput } from '@earshot/sdk';
import { EXIT } from '../exit-codes.ts';
import { readArgs, UsageError } from '../usage-error.ts';
import { connectAsPerson } from './connect.ts';

type Scopes = RequestInput<'createApiKey'>['body']['scopes'];
const SCOPES_DEFAULT: Scopes = ['analyses:create', 'analyses:read'];

export async function runKeys(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      service: { type: 'string' },
      scopes: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [verb = 'list', target] = positionals;
  const { earshot } = connectAsPerson({ service: values.service });
  if (verb === 'list') {
    const keys: Key[] = [];
    for await (const key of earshot.iterate('listApiKeys')) keys.push(key);
    console.log(values.json ? JSON.stringify(keys, null, 2) : keys.map(formatKey).join('\n'));
  } else if (verb === 'create') {
    if (!target) throw new UsageError('a key needs a name: earshot keys create "nightly batch"');
    const scopes = (values.scopes?.split(',') ?? SCOPES_DEFAULT) as Scopes;
    const key = await earshot.request('createApiKey', { body: { name: target, scopes } });
    // The key alone, so that a script can take it: it is told once.
    console.log(values.json ? JSON.stringify(key, null, 2) : key.plaintext_key);
  } else if (verb === 'revoke') {
    if (!target) throw new UsageError('which key? earshot keys revoke key_…');
    await earshot.request('revokeApiKey', { params: { api_key_id: target } });
    console.log(`${target} is revoked.`);
  } else {
    throw new UsageError(`keys has no verb "${verb}". There are: list, create, revoke`);
  }
  return EXIT.ok;
}

type Key = { id: string; name: string; prefix: string; scopes: string[]; revoked_at?: string };

function formatKey({ id, name, prefix, scopes, revoked_at }: Key): string {
  return `${id}  ${prefix}…  ${revoked_at ? 'revoked' : scopes.join(',')}  ${name}`;
}
