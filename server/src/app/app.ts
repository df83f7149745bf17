import { METHODS } from 'node:http';
import { allOperations, type Operation } from '@earshot/contract';
import { ROOT_CONTEXT, type Span, SpanKind } from '@opentelemetry/api';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '../config.ts';
import type { Actor, Context, Dependencies } from '../context.ts';
import { createDocumentation } from '../docs/serve-site.ts';
import { AppError } from '../errors.ts';
import { readIdempotencyKey } from '../http/idempotency.ts';
import type { AccessWatch, Answer, Implementation, Raw } from '../http/implement.ts';
import { answerError, answerProblem } from '../http/problem.ts';
import { requestIdOf } from '../http/request-id.ts';
import { readRequestInput } from '../http/request-input.ts';
import { limitSubjectOf } from '../limits/client-address.ts';
import type { Logger } from '../platform/log.ts';
import { startSpan, withSpan } from '../platform/tracing.ts';
import { type AccessWatcher, createAccessWatcher } from './access-watch.ts';
import { authenticate, isStillAllowed } from './authenticate.ts';
import { checkAnswer } from './check-answer.ts';
import { answerClientError } from './client-error.ts';
import { answerNotModified, isNotModified, sendCompressed } from './compressed-answer.ts';
import { type CrossOriginHeaders, createCrossOriginHeaders } from './cross-origin.ts';
import { loadDashboard } from './dashboard.ts';
import { createFailedCredentials, type FailedCredentials } from './failed-credentials.ts';
import { refuseForeignHosts } from './foreign-hosts.ts';
import { type Load, measureLoad } from './load.ts';
import { createRequestMeter, type RequestMeter } from './request-meter.ts';
import { matchRoutes } from './route-table.ts';
import { PAGE_POLICY, SECURITY_HEADERS } from './security-headers.ts';
import { closeLingeringRequests, watchUploadRate } from './slow-clients.ts';

export type AppOptions = {
  /** Checks every answer against the contract; tests turn it on. */
  checkAnswers?: boolean;
  /** The operations to serve; by default every operation of the contract. */
  operations?: readonly Operation[];
};

/** The HTTP application: one route per operation of the contract, served by the given implementations. */
export function buildApp(
  deps: Dependencies,
  implementations: readonly Implementation[],
  options: AppOptions = {},
): FastifyInstance {
  const operations = options.operations ?? allOperations;
  assertComplete(operations, implementations);
  const crossOrigin = createCrossOriginHeaders(deps.config.allowedOrigins);
  const addCommonHeaders = createCommonHeaders(deps.config, crossOrigin);
  const app = createServer(deps, addCommonHeaders);
  const dashboard = loadDashboard();
  const documentation = createDocumentation(deps.config);
  app.setNotFoundHandler(
    (request, reply) =>
      documentation(request, reply) ??
      dashboard(request, reply) ??
      answerUnrouted(operations, crossOrigin, request, reply),
  );
  app.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    done();
  });
  refuseForeignHosts(app, deps.config);
  closeLingeringRequests(app);
  const spans: RequestSpans = new WeakMap();
  recordAnswers(app, deps, spans);
  const meter = createRequestMeter(deps.config.requestsPerMinute);
  const watcher = createAccessWatcher(deps.db);
  const load = measureLoad({
    ...deps.config.shedding,
    poolUse: deps.db.poolUse,
    onShed: (reason) => deps.metrics.requestsShed.inc({ reason }),
    onShedding: (overload) => deps.log.warn(overload, 'Overloaded: requests are refused'),
  });
  app.addHook('onClose', async () => load.stop());
  const failed = createFailedCredentials(deps.config.failedCredentialsPerMinute);
  for (const implementation of implementations) {
    addRoute(app, implementation, (request, reply) => {
      const span = startRequestSpan(implementation.operation, request);
      spans.set(request, span);
      return withSpan(span, () =>
        serve(deps, implementation, request, reply, { load, meter, failed, watcher, ...options }),
      );
    });
  }
  return app;
}

/** For a whole request with its body, which Fastify does not limit by default: 50 MB need 56 KB/s on average. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000;
/** Longer than the 60 s for which load balancers commonly keep idle connections, so that they never reuse one that we are closing. */
const KEEP_ALIVE_MS = 65_000;
/** A client gets a quarter of Node's default minute to send its headers, so that slow senders hold fewer connections. */
const HEADERS_TIMEOUT_MS = 15_000;
/** Node's default of 30 s would let both timeouts be exceeded by as much. */
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;
/** Longer than any id or name in a path. Longer values get a 404 without a query. */
const PARAMETER_CHARACTERS_MAX = 200;

function createServer(deps: Dependencies, addCommonHeaders: AddHeaders): FastifyInstance {
  const app = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    trustProxy: deps.config.trustedProxies.length > 0 ? deps.config.trustedProxies : false,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS },
    routerOptions: { maxParamLength: PARAMETER_CHARACTERS_MAX },
    clientErrorHandler: answerClientError,
    // Fastify runs no hooks for these.
    frameworkErrors: (error, request, reply) => {
      addCommonHeaders(request, reply as FastifyReply);
      answerError(error, request, reply as FastifyReply);
    },
  });
  // Fastify itself refuses a QUERY without a content type; it must reach the handler that answers 405.
  if (METHODS.includes('QUERY')) app.addHttpMethod('QUERY', { overrideExisting: true });
  app.removeAllContentTypeParsers();
  // Bodies stay streams here: each operation declares how its body is read (request-input.ts).
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.setErrorHandler(answerError);
  return app;
}

type ServeOptions = AppOptions & {
  meter: RequestMeter;
  load: Load;
  failed: FailedCredentials;
  watcher: AccessWatcher;
};

async function serve(
  deps: Dependencies,
  { operation, handle }: Implementation,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServeOptions,
): Promise<FastifyReply> {
  // Before anything that waits in a queue. Operational routes are exempt: health checks must work under overload.
  if (operation.surface !== 'operational') options.load.assertNotOverloaded();
  const actor = await authenticate(deps, operation.policy, request, options.failed);
  const subject = 'workspaceId' in actor ? actor.workspaceId : limitSubjectOf(request.ip);
  if (operation.surface !== 'operational') reply.headers(options.meter(subject, deps.clock()));
  const log = request.log as Logger;
  const db = 'workspaceId' in actor ? deps.db.forTenant(actor.workspaceId) : deps.db;
  const ctx: Context = { ...deps, db, log, actor, requestId: request.id, ip: request.ip };
  const idempotencyKey = operation.idempotent ? readIdempotencyKey(request.headers['idempotency-key']) : null;
  if (operation.rawBody?.as === 'stream') watchUploadRate(request.raw);
  const { input, requestHash } = await readRequestInput(operation, request);
  const watchAccess = () => watchAccessOf(deps, operation, request, actor, options.watcher);
  const raw: Raw = { request, reply, idempotencyKey, requestHash, watchAccess };
  const handled = await handle(ctx, input, raw);
  if (reply.sent) return reply;
  if (handled.tag !== undefined && isNotModified(request, handled.tag)) {
    return answerNotModified(reply.headers(handled.headers ?? {}), handled.tag);
  }
  const body: unknown = typeof handled.body === 'function' ? await handled.body() : handled.body;
  const answer = { ...handled, body };
  if (options.checkAnswers) checkAnswer(operation, answer);
  return sendAnswer(operation, answer, request, reply);
}

/** Access to a public operation cannot be revoked. */
function watchAccessOf(
  deps: Dependencies,
  { policy }: Operation,
  request: FastifyRequest,
  actor: Actor,
  watcher: AccessWatcher,
): Promise<AccessWatch> {
  if (!('workspaceId' in actor)) {
    return Promise.resolve({ lost: new AbortController().signal, isLost: async () => false, stop: () => {} });
  }
  const { workspaceId } = actor;
  return watcher.watch(workspaceId, () => isStillAllowed(deps, policy, request, workspaceId));
}

function sendAnswer(
  operation: Operation,
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const contentType = operation.responses[answer.status]?.contentType ?? 'application/json';
  if (answer.body !== null)
    reply.type(contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType);
  if (contentType === 'text/html') reply.header('Content-Security-Policy', PAGE_POLICY);
  reply.code(answer.status).headers(answer.headers ?? {});
  return answer.status === 200
    ? sendCompressed(request, reply, answer.body, answer.tag ?? null)
    : reply.send(answer.body);
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function addRoute(app: FastifyInstance, { operation }: Implementation, handler: RouteHandler): void {
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    handler,
    config: { operationId: operation.id },
  });
}

/** Throws unless every operation has a policy and exactly one implementation, and every implementation an operation. */
function assertComplete(operations: readonly Operation[], implementations: readonly Implementation[]): void {
  const implemented = implementations.map(({ operation }) => operation);
  const faults = {
    missing: operations.filter((operation) => !implemented.includes(operation)),
    unknown: implemented.filter((operation) => !operations.includes(operation)),
    twice: implemented.filter((operation, index) => implemented.indexOf(operation) < index),
    unguarded: operations.filter(({ policy }) => policy?.access === undefined),
  };
  const found = Object.entries(faults).flatMap(([fault, faulty]) =>
    faulty.length === 0 ? [] : `${fault} ${faulty.map(({ id }) => id).join(', ')}`,
  );
  if (found.length > 0) throw new Error(`Routes and contract disagree: ${found.join('; ')}`);
}

/** Unlike the message for an unknown id, does not suggest a wrong workspace, which would mislead after a mistyped path. */
const NO_SUCH_PATH = new AppError(
  'not_found',
  'There is no such path. The reference at /docs lists every one there is.',
);

/** Answers a request without a route: 405 for another method on a known path, the methods for OPTIONS, otherwise 404. */
function answerUnrouted(
  operations: readonly Operation[],
  crossOrigin: CrossOriginHeaders,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const methods = matchRoutes(operations, request.url);
  if (methods.length === 0) return answerProblem(request, reply, NO_SUCH_PATH);
  const allow = [...methods.toSorted(), ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') {
    crossOrigin.addPreflight(request, reply, allow);
    return reply.code(204).header('Allow', allow).send();
  }
  const error = new AppError('method_not_allowed', `This path takes ${allow}.`);
  return answerProblem(request, reply.header('Allow', allow), error);
}

const HTTPS_FOR_A_YEAR = 'max-age=31536000';

type AddHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

function createCommonHeaders({ baseUrl }: Config, crossOrigin: CrossOriginHeaders): AddHeaders {
  const secure = baseUrl.startsWith('https:');
  return (request, reply) => {
    reply.header('X-Request-Id', request.id).headers(SECURITY_HEADERS);
    crossOrigin.add(request, reply);
    if (secure) reply.header('Strict-Transport-Security', HTTPS_FOR_A_YEAR);
  };
}

type RequestSpans = WeakMap<FastifyRequest, Span>;

/** Always the root of a new trace: a client must not decide what is recorded, or in which trace. */
function startRequestSpan({ id, method, path }: Operation, request: FastifyRequest): Span {
  const attributes = {
    'http.request.method': method,
    'http.route': path,
    'earshot.operation': id,
    'earshot.request_id': request.id,
  };
  return startSpan(`${method} ${path}`, { kind: SpanKind.SERVER, attributes, parent: ROOT_CONTEXT });
}

/** Logs and measures every answer, and ends its span. */
function recordAnswers(app: FastifyInstance, { metrics }: Dependencies, spans: RequestSpans): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = routeOptions.url ?? null;
    metrics.httpRequests.observe({ method, route: route ?? 'none', status }, elapsedTime / 1000);
    const line = { method, route, status, durationMs: Math.round(elapsedTime), ip: request.ip };
    const span = spans.get(request);
    if (span === undefined) return request.log.info(line, 'Answered');
    withSpan(span, () => request.log.info(line, 'Answered'));
    span.setAttribute('http.response.status_code', status).end();
  });
}
