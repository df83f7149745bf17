/** `earshot listen`: receives webhooks on this machine, verifies them and forwards them to the user's program. */

import { once } from 'node:events';
import { ApiError } from '@earshot/sdk';
import { type Connection, connect } from '../account/connect.ts';
import { EXIT } from '../exit-codes.ts';
import { FLAG, readOptions, TEXT } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import { verifyAndForward } from './forward.ts';
import { pollEvents, takeSnapshot } from './poll.ts';
import { type Receiver, receiveCalls } from './receive.ts';
import { isSecret, newSecret } from './sign-event.ts';

/** Short for a developer who waits, yet 30 to 90 requests a minute of the 3,000 that a workspace may send. */
const POLL_INTERVAL_MS = 2_000;

export async function runListen(args: readonly string[]): Promise<number> {
  const values = readOptions(args, {
    service: TEXT,
    forward: TEXT,
    port: TEXT,
    'public-url': TEXT,
    poll: FLAG,
    secret: TEXT,
  });
  const publicUrl = values['public-url'] ?? null;
  if (values.poll && (values.port !== undefined || publicUrl !== null))
    throw new UsageError('--port and --public-url say where the service calls: with --poll it does not');
  if (!values.poll && values.secret !== undefined)
    throw new UsageError('--secret goes with --poll: the service signs its calls with a secret of its own');
  const forwardTo = values.forward ?? null;
  // `URL` also parses "localhost:3000", as a URL with the scheme "localhost:".
  if (forwardTo !== null && !(/^https?:\/\//i.test(forwardTo) && URL.canParse(forwardTo)))
    throw new UsageError(
      `--forward wants an address such as http://localhost:3000/hooks, not "${forwardTo}"`,
    );
  const port = Number(values.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port wants a number from 0 to 65535, not "${values.port}"`);
  const secret = values.secret ?? newSecret();
  if (!isSecret(secret)) throw new UsageError('--secret wants base64, with whsec_ before it or not');
  const connection = connect({ service: values.service });
  const stopping = new AbortController();
  // SIGHUP is a closed terminal window. An endpoint that stayed registered would be called for days.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
  const receiver = values.poll ? null : await tryToReceive(connection, { port, publicUrl, forwardTo });
  if (receiver === null) {
    await pollAndForward(connection, secret, forwardTo, stopping.signal);
    return EXIT.ok;
  }
  console.log(`Listening for ${connection.service} at ${receiver.url}. Ctrl+C ends it.`);
  console.log(`Signing secret: ${receiver.secret}`);
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  await receiver.stop();
  return EXIT.ok;
}

/** Null when the service may not call this machine. */
async function tryToReceive(
  { earshot, service }: Connection,
  options: { port: number; publicUrl: string | null; forwardTo: string | null },
): Promise<Receiver | null> {
  try {
    return await receiveCalls(earshot, options, (line) => console.log(line));
  } catch (error) {
    if (!isRefusedAddress(error) || options.publicUrl) throw error;
    console.error(
      `${service} does not call private addresses, so this command polls for finished jobs instead.`,
    );
    return null;
  }
}

function isRefusedAddress(error: unknown): boolean {
  const issues = error instanceof ApiError && Array.isArray(error.detail) ? error.detail : [];
  return issues.some((issue: { type?: string } | null) => issue?.type === 'url_not_allowed');
}

async function pollAndForward(
  { earshot, service }: Connection,
  secret: string,
  forwardTo: string | null,
  signal: AbortSignal,
): Promise<void> {
  // Taken before the first line is printed: every job that ends after it is reported.
  const snapshot = await takeSnapshot(earshot);
  console.log(`Asking ${service} for finished jobs. Ctrl+C ends it.`);
  console.log(`Signing secret: ${secret}`);
  const notify = (sentence: string) => console.error(sentence);
  const options = { secret, service, intervalMs: POLL_INTERVAL_MS, notify, signal };
  for await (const call of pollEvents(earshot, snapshot, options)) {
    console.log((await verifyAndForward(call, secret, forwardTo)).line);
  }
}
