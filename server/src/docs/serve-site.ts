import { allOperations } from '@earshot/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { buildSite, NOT_FOUND, type SiteFile } from './build-site.ts';
import { openApiDocument } from './openapi-document.ts';

/** Only styles, scripts, pictures and requests of our own origin, and nothing inline. */
const SITE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers a request that no route matched with a file of the documentation; null when there is none for it. */
export type Documentation = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

/** Serves everything below /docs, and /llms-full.txt. /docs itself and /llms.txt are routes of the contract (documentationAnswer). */
export function createDocumentation(config: Config): Documentation {
  return (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const [path = '/'] = request.url.split('?');
    if (!path.startsWith('/docs/') && path !== '/llms-full.txt') return null;
    const site = siteOf(config);
    const file = site.get(path);
    if (file) return sendFile(reply, file);
    const withoutSlash = path.endsWith('/') ? path.slice(0, -1) : path;
    if (site.has(withoutSlash)) return reply.redirect(withoutSlash, 308);
    // Programs get the JSON error of the API, browsers a page.
    const notFound = request.headers.accept?.includes('text/html') ? site.get(NOT_FOUND) : undefined;
    // Not cached, as the JSON error is not: it depends on Accept, and the page may be there after the next release.
    return notFound ? sendFile(reply.code(404), notFound, { 'Cache-Control': 'no-store' }) : null;
  };
}

function sendFile(reply: FastifyReply, file: SiteFile, headers: Record<string, string> = {}): FastifyReply {
  return reply
    .headers({ ...siteHeaders(file), ...headers })
    .type(file.contentType)
    .send(file.body());
}

/** The response of a route of the contract that serves a file of the site. */
export function documentationAnswer(config: Config, address: '/docs' | '/llms.txt') {
  const file = siteOf(config).get(address);
  if (!file) throw new Error(`The documentation lacks ${address}`);
  return { status: 200, body: String(file.body()), headers: siteHeaders(file) } as const;
}

function siteHeaders(file: SiteFile): Record<string, string> {
  return {
    'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    'Access-Control-Allow-Origin': '*',
    ...(file.contentType.startsWith('text/html') ? { 'Content-Security-Policy': SITE_POLICY } : {}),
  };
}

/** Built on first use, so that startup does not wait for it, and again when the base URL, known only once we listen, has changed. */
let built: { baseUrl: string; site: Map<string, SiteFile> } | null = null;

function siteOf({ baseUrl }: Config): Map<string, SiteFile> {
  if (built?.baseUrl !== baseUrl) {
    const site = buildSite({ baseUrl, operations: allOperations, document: openApiDocument() });
    built = { baseUrl, site };
  }
  return built.site;
}
