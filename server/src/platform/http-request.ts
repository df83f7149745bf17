import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';

export type HttpRequest = {
  method: string;
  headers: Record<string, string>;
  body?: string | Readable;
  /** Until the connection is established, TLS included. */
  connectTimeoutMs: number;
  /** The longest time without a byte in either direction. */
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
  /** Closes the connection, read or not. */
  discard(): void;
};

export class HttpTimeout extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * One request with Node's own client. Not with undici, whose parser (7.30) ends the whole process with a failed assertion when the
 * server closes a connection that a slow reader has paused: the server of any customer could do that.
 */
export function sendHttpRequest(url: URL, options: HttpRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, {
      method: options.method,
      headers: options.headers,
      // The connection serves this request alone.
      agent: false,
      maxHeaderSize: options.answerHeaderBytesMax,
      lookup: options.lookup,
      signal: options.signal,
      timeout: options.idleTimeoutMs,
      ...(options.trustedCertificates ? { ca: options.trustedCertificates } : {}),
    });
    limitConnectTime(request, url, options.connectTimeoutMs);
    request.on('timeout', () => request.destroy(new HttpTimeout('No byte for too long')));
    // `on`, not `once`: a connection that breaks after the answer has begun emits the error on the body, and again here.
    request.on('error', reject);
    request.once('response', (body) => {
      resolve({
        // Always set on a response; the type allows undefined because IncomingMessage is also used for requests.
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
      // pipe() leaves a source open whose destination closes early: a file would keep its descriptor and its room on the disk.
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
