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

/** What must never be in a log line, whichever library put it there. The time of every pattern is linear in the length of the line. */
const SECRETS: readonly [RegExp, string][] = [
  // Members with these names at any depth, whose value is a string, a number, or a short list or object.
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
  // Names and passwords inside an address: postgres://user:secret@host.
  [/(:\/\/)[^\s/"@\\]+@/g, '$1[redacted]@'],
  // E-mail addresses: log lines name people by their ids.
  [/(?<![\w.%+-])[\w.%+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b/g, '[address]'],
  [/([?&](?:token|code|signature|X-Amz-Signature|X-Amz-Credential|key)=)[^&\s"\\]+/gi, '$1[redacted]'],
];

/** Masks secrets in a finished line, or in other text that leaves the process. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

/** The most that is buffered for a slow reader; further lines are dropped. Chosen: some minutes of normal operation. */
const WAITING_BYTES_MAX = 8 * 2 ** 20;

/** Lines of this time are written together: a write per line took a tenth of the time of a job read (bench:service). */
const TOGETHER_MS = 20;
const TOGETHER_CHARACTERS_MAX = 8_192;

/**
 * Never waits for the reader of the lines: a collector that hangs would otherwise block the service. A process that exits writes its
 * buffered lines; one that is killed loses those of the last moment.
 */
export function openLog(fd: number): pino.DestinationStream & { flushSync(): void } {
  const log = pino.destination({ fd, sync: false, maxLength: WAITING_BYTES_MAX });
  const lastLog = pino.destination({ fd, sync: true });
  let lines = '';
  const writeTogether = () => {
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
      if (lines === '') setTimeout(writeTogether, TOGETHER_MS);
      lines += line;
      if (lines.length > TOGETHER_CHARACTERS_MAX) writeTogether();
    },
  };
}

/** JSON lines on standard output. `destination` is for tests. */
export function createLogger(
  options: { level: string; destination?: pino.DestinationStream } = { level: 'info' },
): Logger {
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

/** Chosen: more than any chain of causes has; ends a circular one. */
const CAUSES_MAX = 4;

/**
 * Only the useful fields: errors of libraries have whole requests with headers as properties. Causes are included, because the private
 * details of an AppError are its cause.
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
