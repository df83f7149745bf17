import { ERROR_STATUS, type ErrorCode } from '@earshot/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, notFound, ValidationFailed } from '../errors.ts';
import { rateLimitHeaders } from '../limits/rate-limits.ts';
import { versionTagOf } from './entity-tag.ts';

/** Every error of a route becomes an answer here. An unknown error becomes a 500 whose details go to the log alone. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ValidationFailed) {
    const headers = { ...PROBLEM_HEADERS, ...(error.bodyUnread && CLOSING) };
    return reply.code(422).headers(headers).send({ detail: error.issues });
  }
  const known = error instanceof AppError ? error : translateFrameworkError(error);
  if (known === null || known.code === 'internal') {
    request.log.error({ err: error }, 'A request failed with an unexpected error');
  } else if (known.code === 'overloaded') {
    // A log line per refusal would add to the overload, which app/load.ts reports every ten seconds instead.
    request.log.debug('Refused: overloaded');
  } else if (ERROR_STATUS[known.code] >= 500) {
    request.log.warn({ err: known }, 'A request failed');
  }
  return answerProblem(request, reply, known ?? INTERNAL);
}

export function answerProblem(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const body = { detail: error.message, code: error.code, request_id: request.id, ...error.detail };
  return reply
    .code(ERROR_STATUS[error.code])
    .headers({ ...PROBLEM_HEADERS, ...headersOf(error) })
    .send(body);
}

function headersOf(error: AppError): Record<string, string> {
  const { code, retryAfterSeconds, limit, bodyUnread, currentVersion } = error;
  return {
    ...(retryAfterSeconds !== null && { 'Retry-After': String(retryAfterSeconds) }),
    ...(limit && rateLimitHeaders(limit, 0, retryAfterSeconds ?? limit.windowSeconds)),
    ...(ERROR_STATUS[code] === 401 && { 'WWW-Authenticate': 'Bearer realm="earshot"' }),
    ...(currentVersion !== null && { ETag: versionTagOf({ version: currentVersion }) }),
    ...(bodyUnread && CLOSING),
  };
}

const CLOSING = { Connection: 'close' };
const PROBLEM_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

const INTERNAL = new AppError(
  'internal',
  'Something went wrong on our side. Try again; if it stays, tell us the request id.',
);

const FRAMEWORK_ERRORS: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media',
    message: 'This route does not take that content type.',
  },
  FST_ERR_BAD_URL: { code: 'bad_request', message: 'The path has a percent-escape that cannot be decoded.' },
};

function translateFrameworkError(error: unknown): AppError | null {
  if (!(error instanceof Error) || !('statusCode' in error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  // No id is that long (app/app.ts).
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return notFound();
  const known = FRAMEWORK_ERRORS[code];
  if (known) return new AppError(known.code, known.message, { cause: error });
  const status = Number(error.statusCode);
  return status >= 400 && status < 500
    ? new AppError('bad_request', 'The request could not be read.', { cause: error })
    : null;
}
