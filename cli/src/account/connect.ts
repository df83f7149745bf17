import { Earshot } from '@earshot/sdk';
import { UsageError } from '../usage-error.ts';
import { type Credentials, readCredentials } from './credentials.ts';

/** The command needs a sign-in, or a key in the environment. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

const SERVICE_DEFAULT = 'http://localhost:8080';

export type Connection = { earshot: Earshot; service: string; apiKey: string };

/** The service from the option, the environment or the sign-in, with a key for it. */
export function connect(options: { service?: string }): Connection {
  const stored = readCredentials();
  const service = serviceOf(options.service, stored);
  // A key is sent only to the service that made it.
  const apiKey = process.env.EARSHOT_API_KEY || (stored?.service === service && stored.apiKey);
  if (!apiKey) throw notSignedIn(service);
  return { earshot: new Earshot({ apiKey, baseUrl: service }), service, apiKey };
}

/** Of every API key (server/src/api-keys/key-format.ts); a session token begins otherwise. */
const KEY_PREFIX = 'es_live_';

/**
 * For operations that need a session. EARSHOT_API_KEY comes first here too when it holds a session token; when it holds a key, the
 * sign-in of this machine has precedence, and without one the service answers that a session is needed.
 */
export function connectAsPerson(options: { service?: string }): Omit<Connection, 'apiKey'> {
  const stored = readCredentials();
  const service = serviceOf(options.service, stored);
  const given = process.env.EARSHOT_API_KEY;
  const session = stored?.service === service ? stored.sessionToken : null;
  const token = given?.startsWith(KEY_PREFIX) ? (session ?? given) : given || session;
  if (!token) throw notSignedIn(service);
  return { earshot: new Earshot({ apiKey: token, baseUrl: service }), service };
}

export function serviceOf(
  option: string | undefined,
  stored: Credentials | null = readCredentials(),
): string {
  const service = option || process.env.EARSHOT_URL || stored?.service || SERVICE_DEFAULT;
  if (!/^https?:\/\/./.test(service)) {
    throw new UsageError(`the service "${service}" has no http:// or https:// before it`);
  }
  return service.replace(/\/+$/, '');
}

function notSignedIn(service: string): NotSignedIn {
  return new NotSignedIn(
    `nobody is signed in to ${service}. Try: earshot login --service ${service}, or set EARSHOT_API_KEY`,
  );
}
