import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readByteRange } from '../http/byte-range.ts';
import { SERVER_ROOT } from '../platform/server-root.ts';
import { acceptsGzip, addVary } from './compressed-answer.ts';

/** Created by `npm run build`. Without it the service offers only its API. */
const DASHBOARD_FOLDER = join(SERVER_ROOT, '..', 'dashboard', 'dist');

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.mp3': 'audio/mpeg',
};

type Asset = { body: Buffer; gzipped: Buffer; contentType: string; immutable: boolean };

/** Answers a request that matches no route with a dashboard file or its page; null when neither applies. */
export type Dashboard = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

/** Reads all files at startup: they are few and small, and no request path ever becomes a file path. */
export function loadDashboard(folder: string = DASHBOARD_FOLDER): Dashboard {
  const assets = readAssets(folder);
  const page = assets.get('/index.html');
  return (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const [path = '/'] = request.url.split('?');
    const asset = assets.get(path);
    if (asset && path !== '/index.html') return sendAsset(request, reply, asset);
    // The dashboard routes its own paths, which only browsers request, accepting text/html.
    const { accept } = request.headers;
    const wantsPage = path === '/' ? !prefersJson(accept) : (accept?.includes('text/html') ?? false);
    if (!page || !wantsPage || path.startsWith('/v1/')) return null;
    return sendPage(request, reply, page);
  };
}

/** Every client gets the page at `/`, even without an Accept header, unless it prefers JSON to HTML. */
function prefersJson(accept: string | undefined): boolean {
  const qualityOf = (type: string) => {
    const range = accept?.split(',').find((one) => one.trim().toLowerCase().startsWith(type));
    return range === undefined ? 0 : Number(/;\s*q=([0-9.]+)/i.exec(range)?.[1] ?? 1);
  };
  return qualityOf('application/json') > qualityOf('text/html');
}

function readAssets(folder: string): Map<string, Asset> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = `/${relative(folder, file).split(sep).join('/')}`;
      const contentType = CONTENT_TYPES[extname(entry.name)] ?? 'application/octet-stream';
      const body = readFileSync(file);
      // The build puts a hash of the content into these file names.
      const immutable = path.startsWith('/assets/');
      return [path, { body, gzipped: gzipSync(body), contentType, immutable }];
    }),
  );
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const caching = asset.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
  reply.header('Cache-Control', caching).type(asset.contentType);
  if (asset.contentType.startsWith('audio/')) return sendAudio(request, reply, asset.body);
  addVary(reply, 'Accept-Encoding');
  if (!acceptsGzip(request)) return reply.send(asset.body);
  return reply.header('Content-Encoding', 'gzip').send(asset.gzipped);
}

/** Supports ranges and is not compressed: otherwise players cannot seek, and some browsers do not play at all. */
function sendAudio(request: FastifyRequest, reply: FastifyReply, body: Buffer): FastifyReply {
  reply.header('Accept-Ranges', 'bytes');
  const range = readByteRange(request.headers.range, body.length);
  if (range === 'unsatisfiable') {
    return reply.code(416).header('Content-Range', `bytes */${body.length}`).send();
  }
  if (!range) return reply.send(body);
  const { firstByte, lastByte } = range;
  return reply
    .code(206)
    .header('Content-Range', `bytes ${firstByte}-${lastByte}/${body.length}`)
    .send(body.subarray(firstByte, lastByte + 1));
}

/** 128 bits, the least that Content Security Policy Level 3 asks for. */
const NONCE_BYTES = 16;

/**
 * The page may load scripts from and send requests to our own origin only; styles added by scripts carry this answer's nonce. The
 * `signed-in` hint spares a visitor without a session cookie a request that could only be answered with 401.
 */
function sendPage(request: FastifyRequest, reply: FastifyReply, page: Asset): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const signedIn = request.headers.cookie?.includes('earshot_session=') ? 'maybe' : 'no';
  const hints = `<meta name="style-nonce" content="${nonce}"><meta name="signed-in" content="${signedIn}">`;
  const body = page.body.toString('utf8').replace('</head>', `${hints}</head>`);
  return reply.header('Content-Security-Policy', policy).type(page.contentType).send(body);
}
