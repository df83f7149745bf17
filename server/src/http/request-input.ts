import { bodyBytesMaxOf, type Operation, type ValidationIssue } from '@earshot/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { notFound, ValidationFailed } from '../errors.ts';
import { canonicalJson } from './canonical-json.ts';
import { hashRequest } from './idempotency.ts';
import type { InputOf, Raw } from './implement.ts';
import { readBytes } from './read-bytes.ts';
import { readJsonBody } from './request-body.ts';
import { type Place, validate } from './validation.ts';

/** Reads and validates all input that the operation declares, and reports all faults together, as FastAPI does. */
export async function readRequestInput(
  operation: Operation,
  request: FastifyRequest,
): Promise<{ input: InputOf<Operation> } & Pick<Raw, 'requestHash'>> {
  const bytes = await readBodyBytes(operation, request);
  const json = operation.body && bytes ? readJsonBody(bytes, request.headers['content-type']) : undefined;
  const issues: ValidationIssue[] = [];
  const check = (schema: z.ZodType | undefined, value: unknown, place: Place): unknown => {
    if (!schema) return {};
    try {
      return validate(schema, value, place);
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      issues.push(...error.issues);
      return {};
    }
  };
  const input = {
    params: check(operation.params, readParams(request), 'path'),
    query: check(operation.query, readQuery(request.query, operation.repeatable ?? []), 'query'),
    headers: check(operation.headers, pickHeaders(operation, request), 'header'),
    body: operation.rawBody ? (bytes ?? request.raw) : undefined,
  } as InputOf<Operation>;
  if (operation.body && json === undefined) {
    issues.push({ type: 'missing', loc: ['body'], msg: 'Field required', input: null });
  } else if (operation.body) input.body = check(operation.body, json, 'body') as InputOf<Operation>['body'];
  if (issues.length > 0) throw new ValidationFailed(issues);
  const { idempotent, rawBody } = operation;
  const needsHash = idempotent && rawBody?.as !== 'stream';
  return {
    input,
    requestHash: needsHash ? fingerprint(request, json === undefined ? bytes : canonicalJson(json)) : null,
  };
}

async function readBodyBytes(operation: Operation, request: FastifyRequest): Promise<Buffer | null> {
  const wanted = operation.body !== undefined || operation.rawBody?.as === 'bytes';
  return wanted ? readBytes(request.raw, bodyBytesMaxOf(operation)) : null;
}

function fingerprint({ method, url }: FastifyRequest, body: Buffer | string | null): string {
  return hashRequest([method, url, body ?? '']);
}

/** An id with a NUL character cannot exist, and PostgreSQL would reject it. */
function readParams(request: FastifyRequest): Record<string, unknown> {
  const params = request.params as Record<string, string>;
  if (Object.values(params).some((value) => value.includes('\0'))) throw notFound();
  return params;
}

/** Of a repeated parameter that is no list, the last value counts. */
function readQuery(query: unknown, repeatable: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(query as Record<string, string | string[]>);
  const readOne = (name: string, value: string | string[]) =>
    Array.isArray(value) && !repeatable.includes(name) ? value.at(-1) : value;
  return Object.fromEntries(entries.map(([name, value]) => [name, readOne(name, value)]));
}

function pickHeaders(operation: Operation, request: FastifyRequest): Record<string, unknown> {
  const names = Object.keys(operation.headers?.shape ?? {});
  const given = names.map((name) => [name, request.headers[name]] as const);
  return Object.fromEntries(
    given
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
