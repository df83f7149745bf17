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

/** What must never stand in a log line, wherever a library put it. Every pattern takes time in proportion to the line. */
const SECRETS: readonly [RegExp, string][] = [
  // Members of these names at any depth, be it a text, a number, or a short list or object of them.
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
  // People: a line names them by their ids.
  [/(?<![\w.%+-])[\w.%+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b/g, '[address]'],
  [/([?&](?:token|code|signature|X-Amz-Signature|X-Amz-Credential|key)=)[^&\s"\\]+/gi, '$1[redacted]'],
];

/** Masks secrets in a finished line; also used for text that leaves the process in other ways. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

/** Lines that wait for a slow reader, at most; further ones are dropped. Chosen: minutes of an ordinary day. */
const WAITING_BYTES_MAX = 8 * 2 ** 20;

/** So long a line waits for others: a write for each of them took a tenth of what a read costs. */
const TOGETHER_MS = 20;
const TOGETHER_CHARACTERS_MAX = 8_192;

/**
 * Never waits for whoever reads the lines: a collector that stands still would otherwise stop the service with it. A process that exits
 * writes what it still has; one that is killed takes its last moment along.
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
    // Not by the other, which would only begin to write them.
    lastLog.write(lines);
    lastLog.flushSync();
    lines = '';
  };
  process.once('exit', () => {
    if (lines !== '') flushSync();
  });
  return {
    // pino asks for it after a fatal line, the last one of a process.
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

/** Longer than any chain of ours, and an end for one that leads to itself. */
const CAUSES_MAX = 4;

/**
 * Only the fields that help: errors of libraries carry whole requests, with their headers, as properties. AppError's
 * private half is its cause, so causes are followed.
 */
function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    // Not as `code`, which is the name of a sign-in code and is masked.
    ...(typeof code === 'string' ? { errorCode: code } : {}),
    stack: error.stack,
    ...(error.cause === undefined || depth >= CAUSES_MAX
      ? {}
      : { cause: serializeError(error.cause, depth + 1) }),
  };
}
