/** `earshot login` and `earshot logout` */

import { hostname } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { ApiError, Earshot } from '@earshot/sdk';
import { EXIT } from '../exit-codes.ts';
import { readArgs, UsageError } from '../usage-error.ts';
import { serviceOf } from './connect.ts';
import { credentialsPath, deleteCredentials, readCredentials, writeCredentials } from './credentials.ts';

const KEY_SCOPES = [
  'analyses:create',
  'analyses:write',
  'analyses:read',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
] as const;

export async function runLogin(args: readonly string[]): Promise<number> {
  const { values } = readArgs({
    args: [...args],
    options: { service: { type: 'string' }, email: { type: 'string' } },
  });
  const service = serviceOf(values.service);
  const anonymous = new Earshot({ baseUrl: service });
  const email = values.email ?? (await ask('E-mail address: '));
  if (!email) throw new UsageError('an e-mail address is needed: earshot login --email you@example.com');
  const challenge = await anonymous.request('startSignIn', { body: { email } });
  // A service without a mail server tells the code itself; there is no mail to read it from.
  const code = challenge.dev_code ?? (await ask(`Code that was mailed to ${email}: `));
  const session = await anonymous.request('verifySignIn', {
    body: { challenge_id: challenge.challenge_id, code: code.replaceAll(/\s/g, '') },
  });
  const person = new Earshot({ apiKey: session.access_token, baseUrl: service });
  const key = await person.request('createApiKey', {
    body: { name: `command line on ${hostname()}`.slice(0, 100), scopes: [...KEY_SCOPES] },
  });
  writeCredentials({
    service,
    email: session.email,
    apiKey: key.plaintext_key,
    apiKeyId: key.id,
    sessionToken: session.access_token,
  });
  console.log(
    `Signed in to ${service} as ${session.email}. The key ${key.prefix}… is in ${credentialsPath()}`,
  );
  if (process.env.EARSHOT_API_KEY) {
    console.error(
      'EARSHOT_API_KEY is set and comes before this sign-in; unset it to use what was just made.',
    );
  }
  return EXIT.ok;
}

export async function runLogout(args: readonly string[]): Promise<number> {
  readArgs({ args: [...args], options: {} });
  const credentials = readCredentials();
  if (credentials === null) {
    console.log('Nobody was signed in.');
    return EXIT.ok;
  }
  // With the session that is to end, whatever the environment says.
  const earshot = new Earshot({ apiKey: credentials.sessionToken, baseUrl: credentials.service });
  try {
    await earshot.request('revokeApiKey', { params: { api_key_id: credentials.apiKeyId } });
    await earshot.request('signOut', {});
    console.log(`Signed out of ${credentials.service}; the key of this machine is revoked.`);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    console.log(
      `Signed out here. The session had ended before, so revoke the key ${credentials.apiKeyId} in the dashboard.`,
    );
  } finally {
    deleteCredentials();
  }
  return EXIT.ok;
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}
