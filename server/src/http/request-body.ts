import type { ValidationIssue } from '@earshot/contract';
import { ValidationFailed } from '../errors.ts';
import { shorten } from '../shorten-input.ts';
import { locateJsonError } from './json-error.ts';

/**
 * The JSON value of a body; undefined when it is empty, since null is a JSON value. The faults are FastAPI's, but for invalid UTF-8, to
 * which it answers 400.
 */
export function readJsonBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  const text = decodeUtf8(bytes);
  // FastAPI treats a body of any other type as text, which has no fields. Fastify has refused an empty or malformed type.
  if (contentType !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)) {
    throw new ValidationFailed([notAnObject(text)]);
  }
  try {
    return JSON.parse(text);
  } catch {
    const { message, position } = locateJsonError(text);
    throw invalidJson(message, position);
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidJson('Invalid UTF-8', 0);
  }
}

function invalidJson(error: string, position: number): ValidationFailed {
  const loc = ['body', String(position)];
  return new ValidationFailed([
    { type: 'json_invalid', loc, msg: 'JSON decode error', input: {}, ctx: { error } },
  ]);
}

function notAnObject(text: string): ValidationIssue {
  const msg = 'Input should be a valid dictionary or object to extract fields from';
  return { type: 'model_attributes_type', loc: ['body'], msg, input: shorten(text) };
}
