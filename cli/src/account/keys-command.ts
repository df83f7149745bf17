/** `earshot keys [list | create NAME | revoke ID]` */

import type { RequestInput, RequestOutput } from '@earshot/sdk';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { FLAG, readArgs, refuseWords, TEXT } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import { connectAsPerson } from './connect.ts';

type Scopes = RequestInput<'createApiKey'>['body']['scopes'];
const SCOPES_DEFAULT: Scopes = ['analyses:create', 'analyses:read'];

export async function runKeys(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    service: TEXT,
    scopes: TEXT,
    json: FLAG,
  });
  const [verb = 'list', target, ...words] = positionals;
  if (values.scopes !== undefined && verb !== 'create')
    throw new UsageError('--scopes goes with earshot keys create');
  refuseWords(verb === 'list' ? positionals.slice(1) : words);
  const { service, json } = values;
  if (verb === 'list') {
    const keys: Key[] = [];
    for await (const key of connectAsPerson({ service }).earshot.iterate('listApiKeys')) keys.push(key);
    if (json) console.log(JSON.stringify(keys, null, 2));
    else if (keys.length > 0) for (const key of keys) console.log(formatKey(key));
    else console.error('There is no key yet: earshot keys create NAME makes one.');
  } else if (verb === 'create') {
    if (!target) throw new UsageError('a key needs a name: earshot keys create "nightly batch"');
    // Checked by the service, which knows the scopes.
    const scopes = values.scopes?.split(',').map((scope) => scope.trim()) as Scopes | undefined;
    const body = { name: target, scopes: scopes ?? SCOPES_DEFAULT };
    const key = await connectAsPerson({ service }).earshot.request('createApiKey', { body });
    // The service shows the key only once. Nothing else is printed, so that a script can read it.
    console.log(json ? JSON.stringify(key, null, 2) : key.plaintext_key);
  } else if (verb === 'revoke') {
    if (!target) throw new UsageError('which key? earshot keys revoke key_…');
    const params = { api_key_id: target };
    const answer = await connectAsPerson({ service }).earshot.request('revokeApiKey', { params });
    console.log(json ? JSON.stringify(answer, null, 2) : `${target} is revoked.`);
  } else throw new UsageError(`keys has no verb "${verb}". There are: list, create, revoke`);
  return EXIT.ok;
}

type Key = RequestOutput<'listApiKeys'>[number];

function formatKey({ id, name, prefix, scopes, revoked_at }: Key): string {
  return printable(`${id}  ${prefix}…  ${revoked_at ? 'revoked' : scopes.join(',')}  ${name}`);
}
