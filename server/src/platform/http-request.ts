import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';

type HttpRequest = {
  method: string;
  headers: Record<string, string>;
  body?: string | Readable;
  /** For establishing the connection, including TLS. */
  connectTimeoutMs: number;
  /** The longest silence in both directions. */
  idleTimeoutMs: number;
  answerHeaderBytesMax?: number;
  lookup?: LookupFunction;
  trustedCertificates?: string[];
  signal?: AbortSignal;
};

export type HttpAnswer = {
  status: number;
  headers: IncomingMessage['headers'];
  body: IncomingMessage;
  /** Closes the connection, whether or not the body was read. */
  discard(): void;
};

class HttpTimeout extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * One request with Node's own client, because undici's parser (7.30) crashes the process with a failed assertion when the server closes a
 * connection that a slow reader has paused, which any customer's server could do.
 */
export function sendHttpRequest(url: URL, options: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, {
      method: options.method,
      headers: options.headers,
      // A separate connection for this request.
      agent: false,
      maxHeaderSize: options.answerHeaderBytesMax,
      lookup: options.lookup,
      signal: options.signal,
      timeout: options.idleTimeoutMs,
      ...(options.trustedCertificates ? { ca: options.trustedCertificates } : {}),
    });
    limitConnectTime(request, url, options.connectTimeoutMs);
    request.on('timeout', () => request.destroy(new HttpTimeout('No byte for too long')));
    // `on`, not `once`: a connection that breaks during the body emits the error on the body and here again.
    request.on('error', reject);
    request.once('response', (body) => {
      resolve({
        // Always set on a response: the type allows undefined because IncomingMessage is also used for requests.
        status: body.statusCode!,
        headers: body.headers,
        body,
        discard: () => void request.destroy(),
      });
    });
    if (options.body === undefined || typeof options.body === 'string') request.end(options.body);
    else {
      const { body } = options;
      body.on('error', (error) => request.destroy(error)).pipe(request);
      // pipe() does not close its source when the destination closes early: a file would keep its descriptor and disk space.
      request.once('close', () => body.destroy());
    }
  });
}

function limitConnectTime(request: ClientRequest, url: URL, connectTimeoutMs: number): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(
      () => request.destroy(new HttpTimeout('The connection took too long')),
      connectTimeoutMs,
    );
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
  });
}
