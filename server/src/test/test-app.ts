import { allOperations } from '@earshot/contract';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll } from 'vitest';
import { buildApp } from '../app/app.ts';
import type { Context, Dependencies } from '../context.ts';
import type { Database } from '../platform/postgres.ts';
import { createRoutes } from '../routes.ts';
import { buildTestDependencies, collectMail } from './dependencies.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads bodies by their documented fields; the app checks their shape.
type Json = any;

export type TestAnswer = { status: number; headers: Record<string, string>; body: Json; text: string };

export type TestApp = {
  app: FastifyInstance;
  deps: Dependencies;
  /** The same for the system as actor, such as a worker. */
  ctx: Context;
  /** Sends one request through the whole app. A string or a form is sent as it is, any other body as JSON. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'QUERY',
    url: string,
    options?: { headers?: Record<string, string>; body?: unknown; ip?: string },
  ): Promise<TestAnswer>;
};

/** The whole app on the database of a test. Every response is checked against the contract; without mail, it contains the sign-in code. */
export async function buildTestApp(
  db: Database,
  overrides: Partial<Dependencies> = {},
  env: Record<string, string> = {},
): Promise<TestApp> {
  const mailer = { ...collectMail(), delivers: false };
  const deps = await buildTestDependencies(
    db,
    { mailer, ...overrides },
    { REGISTRATIONS_PER_HOUR: '100000', ...env },
  );
  const app = buildApp(deps, createRoutes({ isStopping: () => false }), {
    checkAnswers: true,
    operations: allOperations,
  });
  await app.ready();
  afterAll(() => app.close());
  return {
    app,
    deps,
    ctx: { ...deps, actor: { kind: 'system' }, requestId: 'test', ip: null },
    async call(method, url, { headers = {}, body, ip } = {}) {
      const encoded = await encodeBody(body);
      const request: InjectOptions = {
        method,
        url,
        headers: { ...encoded.headers, ...headers },
        payload: encoded.payload,
        remoteAddress: ip,
      };
      const response = await app.inject(request);
      const text = response.body;
      const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
      const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      return {
        status: response.statusCode,
        headers: Object.fromEntries(flat),
        body: isJson && text !== '' ? JSON.parse(text) : null,
        text,
      };
    },
  };
}

async function encodeBody(body: unknown): Promise<Pick<InjectOptions, 'payload' | 'headers'>> {
  if (body === undefined) return {};
  if (body instanceof FormData) {
    const form = new Response(body);
    const headers = { 'content-type': form.headers.get('content-type')! };
    return { payload: Buffer.from(await form.arrayBuffer()), headers };
  }
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  return { payload, headers: { 'content-type': 'application/json' } };
}

let emailCount = 0;

/** An e-mail address that is unique in this test file. */
export function freshEmail(name = 'person'): string {
  emailCount += 1;
  return `${name}-${emailCount}@earshot.test`;
}

export type SignedIn = {
  email: string;
  userId: string;
  workspaceId: string;
  token: string;
  headers: { authorization: string };
};

export async function signIn(test: TestApp, email = freshEmail()): Promise<SignedIn> {
  const start = await test.call('POST', '/v1/auth/email/start', { body: { email } });
  const { challenge_id, dev_code: code } = start.body;
  const verified = await test.call('POST', '/v1/auth/email/verify', { body: { challenge_id, code } });
  if (verified.status !== 200) throw new Error(`Sign-in failed: ${verified.text}`);
  const { user_id: userId, workspace_id: workspaceId, access_token: token } = verified.body;
  return { email, userId, workspaceId, token, headers: { authorization: `Bearer ${token}` } };
}

export type Registered = {
  email: string;
  userId: string;
  workspaceId: string;
  key: string;
  headers: { 'x-api-key': string };
};

export async function register(test: TestApp, email = freshEmail('key')): Promise<Registered> {
  const { status, body, text } = await test.call('POST', '/v1/auth/register', { body: { email } });
  if (status !== 201) throw new Error(`Registration failed: ${text}`);
  const { user_id: userId, workspace_id: workspaceId, api_key: key } = body;
  return { email, userId, workspaceId, key, headers: { 'x-api-key': key } };
}
