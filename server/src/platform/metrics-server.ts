import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { equalInConstantTime } from './crypto.ts';
import type { Logger } from './log.ts';

export type MetricsServer = { url: string; close(): Promise<void> };

/** Prometheus sends a GET in milliseconds; this ends connections that never send one. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How often Node compares connections with their limit; its default is 30 s. */
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;

/**
 * GET /metrics for Prometheus and GET /health for a supervisor, on a separate port: metrics about all customers must not be on the public
 * port, and a worker has no other port.
 */
export async function startMetricsServer(options: {
  host: string;
  port: number;
  /** Null lets anyone who reaches the port read, which config.ts allows only on the loopback. */
  token: string | null;
  registry: Registry;
  log: Logger;
}): Promise<MetricsServer> {
  const { registry, log } = options;
  collectDefaultMetrics({ register: registry });
  const server = createServer(
    { connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS },
    (request, response) => {
      answer(request, response, options).catch((error: unknown) => {
        log.error({ err: error }, 'Metrics could not be read');
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    },
  );
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { token, registry }: { token: string | null; registry: Registry },
): Promise<void> {
  const path = request.url?.split('?')[0];
  if (request.method !== 'GET' || (path !== '/metrics' && path !== '/health')) {
    response.writeHead(404).end();
  } else if (path === '/health') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
  } else if (token !== null && !equalInConstantTime(`Bearer ${token}`, request.headers.authorization ?? '')) {
    response.writeHead(401, { 'www-authenticate': 'Bearer realm="metrics"' }).end();
  } else {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  }
}
