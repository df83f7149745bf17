import type { Socket } from 'node:net';
import type { ErrorCode } from '@earshot/contract';
import type { FastifyInstance } from 'fastify';
import { newRequestId } from '../http/request-id.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

type ClientError = Error & { code?: string };

/** Input that Node's HTTP parser rejects never reaches Fastify: the error is written to the socket, which is then closed. */
export function answerClientError(this: FastifyInstance, error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  this.log.debug({ err: error, requestId }, 'A connection sent something that is not a request');
  const { status, detail, code, headers } = explain(error.code);
  const body = JSON.stringify({ detail, code, request_id: requestId });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
      ...headers,
      '',
      body,
    ].join('\r\n'),
  );
}

type Refusal = { status: string; detail: string; code: ErrorCode; headers: string[] };

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

function explain(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_INVALID_METHOD':
      return {
        status: '405 Method Not Allowed',
        detail: `There is no such method here. This service takes ${METHODS}.`,
        code: 'method_not_allowed',
        headers: [`Allow: ${METHODS}`],
      };
    case 'HPE_HEADER_OVERFLOW':
      return badRequest('431 Request Header Fields Too Large', 'The headers are larger than 16 KB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return badRequest('408 Request Timeout', 'The request did not arrive in time.');
    default:
      return badRequest('400 Bad Request', 'This is not a valid HTTP request.');
  }
}

function badRequest(status: string, detail: string): Refusal {
  return { status, detail, code: 'bad_request', headers: [] };
}
