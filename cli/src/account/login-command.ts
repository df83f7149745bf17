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

/** As the contract has it. */
const KEY_NAME_CHARACTERS_MAX = 100;

export async function runLogin(args: readonly string[]): Promise<number> {
  const values = readOptions(args, { service: TEXT, email: TEXT });
  const service = serviceOf(values.service);
  const anonymous = new Earshot({ baseUrl: service });
  const email = values.email ?? (await ask('E-mail address: '));
  if (!email) throw new UsageError('an e-mail address is needed: earshot login --email you@example.com');
  const challenge = await anonymous.request('startSignIn', { body: { email } });
  // A service without a mail server tells the code itself; there is no mail to read it from.
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
    console.error(`${keyIsLeft(before)} It is of the sign-in before this one.`);
  if (process.env.EARSHOT_API_KEY) {
    console.error(
      'EARSHOT_API_KEY is set and comes before this sign-in; unset it to use what was just made.',
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
    `Signed out of ${credentials.service}${isRevoked ? '; the key of this machine is revoked.' : `. ${keyIsLeft(credentials)}`}`,
  );
  return EXIT.ok;
}

/** By the session that is to end, not by a key of the environment. False when it may not revoke its key. */
async function endSignIn({ service, sessionToken, apiKeyId }: Credentials): Promise<boolean> {
  const session = new Earshot({ apiKey: sessionToken, baseUrl: service });
  const isRevoked = await revokeKey(session, apiKeyId);
  await isGranted(session.request('signOut', {}), [401]);
  return isRevoked;
}

/** False when the key before is left: a service that is away does not keep anybody from signing in. */
async function replaceSignIn(before: Credentials, person: Earshot, service: string): Promise<boolean> {
  try {
    // Most sign in anew because their session has ended.
    return (
      (await endSignIn(before)) || (before.service === service && (await revokeKey(person, before.apiKeyId)))
    );
  } catch (error) {
    if (error instanceof EarshotError) return false;
    throw error;
  }
}

/** False when the session has ended, its owner is no admin any more, or the key is of another workspace. */
function revokeKey(session: Earshot, id: string): Promise<boolean> {
  return isGranted(session.request('revokeApiKey', { params: { api_key_id: id } }), [401, 403, 404]);
}

async function isGranted(asked: Promise<unknown>, refusals: readonly number[]): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof ApiError && refusals.includes(error.status)) return false;
    throw error;
  }
}

function keyIsLeft({ service, apiKeyId }: Credentials): string {
  return `The key ${apiKeyId} was not revoked: an admin can do that in the dashboard of ${service}.`;
}

/** Null when nothing is typed, or the input ends before. */
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
