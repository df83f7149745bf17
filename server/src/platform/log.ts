import pino from 'pino';
import { traceFields } from './tracing.ts';

export type Logger = pino.Logger;

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'stripe-signature',
  'payment-signature',
  'password',
  'secret',
  'token',
  'code',
  'api_key',
  'access_token',
  'signing_secret',
];
const STRING = String.raw`"(?:[^"\\]|\\.)*"`;

/** What must never be in a log line, whichever library put it there. Each pattern takes time linear in the line's length. */
const SECRETS: readonly [RegExp, string][] = [
  // JSON members with these names at any depth, whose value is a string or another literal, or a list or object of up to 100 tokens.
  [
    new RegExp(
      String.raw`"(${SECRET_FIELDS.join('|')})":(?:${STRING}|\[(?:${STRING}|[^"\]]){0,100}\]|\{(?:${STRING}|[^"{}]){0,100}\}|[^",}\]]+)`,
      'gi',
    ),
    '"$1":"[redacted]"',
  ],
  [/\bes_(live|sess)_[0-9A-Za-z_-]+/g, 'es_$1_[redacted]'],
  [/\bwhsec_[0-9A-Za-z+/=_-]+/g, 'whsec_[redacted]'],
  [/\b(sk|rk)_(live|test)_[0-9A-Za-z]+/g, '$1_$2_[redacted]'],
  // Credentials in a URL: postgres://user:secret@host.
  [/(:\/\/)[^\s/"\\]+@/g, '$1[redacted]@'],
  // E-mail addresses: log lines identify people by id.
  [/(?<![\w.%+-])[\w.%+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b/g, '[address]'],
  [/([?&](?:token|code|signature|X-Amz-Signature|X-Amz-Credential|key)=)[^&\s"\\]+/gi, '$1[redacted]'],
];

/** Masks secrets in a serialized line. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

/** The most that is buffered for a slow reader. Lines beyond it are dropped. */
const BUFFER_CHARACTERS_MAX = 8 * 2 ** 20;

/** Lines within this time are written in one batch: a write per line took a tenth of the time of a job read (docs/benchmarks.md). */
const BATCH_MS = 20;
/** A full batch is written at once, so that a burst of lines does not wait. */
const BATCH_CHARACTERS_MAX = 8_192;

/**
 * Writes without blocking: a log collector that hangs must not stop the service. Buffered lines are written when the process exits; a
 * killed process loses its last batch.
 */
export function openLog(fd: number): pino.DestinationStream & { flushSync(): void } {
  const log = pino.destination({ fd, sync: false, maxLength: BUFFER_CHARACTERS_MAX });
  const lastLog = pino.destination({ fd, sync: true });
  let lines = '';
  const writeBatch = () => {
    if (lines !== '') log.write(lines);
    lines = '';
  };
  const flushSync = () => {
    log.flushSync();
    // `log` would write them asynchronously.
    lastLog.write(lines);
    lastLog.flushSync();
    lines = '';
  };
  process.once('exit', () => {
    if (lines !== '') flushSync();
  });
  return {
    // pino calls it after a fatal line.
    flushSync,
    write(line) {
      if (lines === '') setTimeout(writeBatch, BATCH_MS);
      lines += line;
      if (lines.length > BATCH_CHARACTERS_MAX) writeBatch();
    },
  };
}

/** JSON lines on standard output, or on `destination` in tests. */
export function createLogger(options: { level: string; destination?: pino.DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceFields,
      serializers: { err: serializeError, error: serializeError },
      hooks: { streamWrite: maskSecrets },
    },
    options.destination ?? openLog(1),
  );
}

/** Longer than real chains of causes; ends a circular one. */
const CAUSES_MAX = 4;

/**
 * Keeps only the useful fields, because errors of libraries carry whole requests with headers as properties. Includes causes: the private
 * details of an AppError are in its cause.
 */
function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    // Not named `code`: members of that name are masked, because they hold sign-in codes.
    ...(typeof code === 'string' ? { errorCode: code } : {}),
    stack: error.stack,
    ...(error.cause === undefined || depth >= CAUSES_MAX
      ? {}
      : { cause: serializeError(error.cause, depth + 1) }),
  };
}
