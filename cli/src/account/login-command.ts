/** `earshot login` and `earshot logout` */

import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { ApiError, Earshot, EarshotError } from '@earshot/sdk';
import { EXIT } from '../exit-codes.ts';
import { readOptions, TEXT } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import { serviceOf } from './connect.ts';
import {
  type Credentials,
  credentialsPath,
  deleteCredentials,
  readCredentials,
  writeCredentials,
} from './credentials.ts';

const KEY_SCOPES = [
  'analyses:create',
  'analyses:write',
  'analyses:read',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
] as const;

/** The contract's limit (contract/src/resources/api-key.ts). */
const KEY_NAME_CHARACTERS_MAX = 100;

export async function runLogin(args: readonly string[]): Promise<number> {
  const values = readOptions(args, { service: TEXT, email: TEXT });
  const service = serviceOf(values.service);
  const anonymous = new Earshot({ baseUrl: service });
  const email = values.email ?? (await ask('E-mail address: '));
  if (!email) throw new UsageError('an e-mail address is needed: earshot login --email you@example.com');
  const challenge = await anonymous.request('startSignIn', { body: { email } });
  // A service without a mail server returns the code in its answer.
  const code = challenge.dev_code ?? (await ask(`Code that was mailed to ${email}: `));
  if (!code) throw new UsageError(`the code that was mailed to ${email} is needed`);
  const session = await anonymous.request('verifySignIn', {
    body: { challenge_id: challenge.challenge_id, code: code.replaceAll(/\s/g, '') },
  });
  const person = new Earshot({ apiKey: session.access_token, baseUrl: service });
  const key = await person.request('createApiKey', {
    body: {
      name: `command line on ${hostname()}`.slice(0, KEY_NAME_CHARACTERS_MAX),
      scopes: [...KEY_SCOPES],
    },
  });
  const before = readCredentials();
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
  if (before && !(await replaceSignIn(before, person, service)))
    console.error(`${notRevoked(before)} It belongs to the previous sign-in.`);
  if (process.env.EARSHOT_API_KEY) {
    console.error(
      'EARSHOT_API_KEY is set and has precedence over this sign-in; unset it to use the new key.',
    );
  }
  return EXIT.ok;
}

export async function runLogout(args: readonly string[]): Promise<number> {
  readOptions(args, {});
  const credentials = readCredentials();
  if (credentials === null) {
    console.log('Nobody was signed in.');
    return EXIT.ok;
  }
  const isRevoked = await endSignIn(credentials);
  deleteCredentials();
  console.log(
    `Signed out of ${credentials.service}${isRevoked ? '; the key of this machine is revoked.' : `. ${notRevoked(credentials)}`}`,
  );
  return EXIT.ok;
}

/** Uses the session that ends, not a key of the environment. False when that session may not revoke its key. */
async function endSignIn({ service, sessionToken, apiKeyId }: Credentials): Promise<boolean> {
  const session = new Earshot({ apiKey: sessionToken, baseUrl: service });
  const isRevoked = await revokeKey(session, apiKeyId);
  await isGranted(session.request('signOut', {}), [401]);
  return isRevoked;
}

/** False when the previous key is not revoked: an unreachable service must not prevent a sign-in to another. */
async function replaceSignIn(before: Credentials, person: Earshot, service: string): Promise<boolean> {
  try {
    // Usually the previous session has expired: then the new one revokes the key.
    return (
      (await endSignIn(before)) || (before.service === service && (await revokeKey(person, before.apiKeyId)))
    );
  } catch (error) {
    if (error instanceof EarshotError) return false;
    throw error;
  }
}

/** False when the session has expired, its owner is no longer an admin, or the key belongs to another workspace. */
function revokeKey(session: Earshot, id: string): Promise<boolean> {
  return isGranted(session.request('revokeApiKey', { params: { api_key_id: id } }), [401, 403, 404]);
}

async function isGranted(request: Promise<unknown>, refusals: readonly number[]): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof ApiError && refusals.includes(error.status)) return false;
    throw error;
  }
}

function notRevoked({ service, apiKeyId }: Credentials): string {
  return `The key ${apiKeyId} was not revoked: an admin can do that in the dashboard of ${service}.`;
}

/** Null when the answer is blank or the input ends. */
function ask(question: string): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, prompt: question });
  lines.prompt();
  return new Promise((resolve) => {
    lines.once('close', () => resolve(null));
    lines.once('line', (answer) => {
      resolve(answer.trim() || null);
      lines.close();
    });
    if (process.stdin.readableEnded) lines.close();
  });
}
