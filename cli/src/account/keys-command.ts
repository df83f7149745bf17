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
  const task = readTask(positionals, values.scopes);
  const { earshot } = connectAsPerson({ service: values.service });
  if (task.verb === 'list') {
    const keys: Key[] = [];
    for await (const key of earshot.iterate('listApiKeys')) keys.push(key);
    if (values.json) console.log(JSON.stringify(keys, null, 2));
    else if (keys.length > 0) for (const key of keys) console.log(formatKey(key));
    else console.error('There is no key yet: earshot keys create NAME makes one.');
  } else if (task.verb === 'create') {
    const { name, scopes } = task;
    const key = await earshot.request('createApiKey', { body: { name, scopes } });
    // The service shows the key only once. Nothing else is printed, so that a script can read it.
    console.log(values.json ? JSON.stringify(key, null, 2) : key.plaintext_key);
  } else {
    const answer = await earshot.request('revokeApiKey', { params: { api_key_id: task.id } });
    console.log(values.json ? JSON.stringify(answer, null, 2) : `${task.id} is revoked.`);
  }
  return EXIT.ok;
}

type Task =
  | { verb: 'list' }
  | { verb: 'create'; name: string; scopes: Scopes }
  | { verb: 'revoke'; id: string };

function readTask([verb = 'list', ...words]: readonly string[], scopes: string | undefined): Task {
  if (scopes !== undefined && verb !== 'create')
    throw new UsageError('--scopes goes with earshot keys create');
  if (verb === 'list') {
    refuseWords(words);
    return { verb };
  }
  const [target, ...further] = words;
  refuseWords(further);
  if (verb === 'create') {
    if (!target) throw new UsageError('a key needs a name: earshot keys create "nightly batch"');
    // Checked by the service, which knows the scopes.
    const named = scopes?.split(',').map((scope) => scope.trim()) as Scopes | undefined;
    return { verb, name: target, scopes: named ?? SCOPES_DEFAULT };
  }
  if (verb === 'revoke') {
    if (!target) throw new UsageError('which key? earshot keys revoke key_…');
    return { verb, id: target };
  }
  throw new UsageError(`keys has no verb "${verb}". There are: list, create, revoke`);
}

type Key = RequestOutput<'listApiKeys'>[number];

function formatKey({ id, name, prefix, scopes, revoked_at }: Key): string {
  return printable(`${id}  ${prefix}…  ${revoked_at ? 'revoked' : scopes.join(',')}  ${name}`);
}
