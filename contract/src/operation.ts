import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';

/**
 * One route of the public interface as data: what it takes, what it answers, who may call it. The server binds a
 * handler to it, the OpenAPI document is written from it, the SDK is typed by it. An operation without a policy does
 * not compile, and one without a handler does not start.
 */

export const SCOPES = [
  'analyses:create',
  'analyses:read',
  'analyses:write',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export type Policy =
  /** Anyone. */
  | { access: 'public' }
  /** Proved by a signature or token inside the request itself, checked by the handler. */
  | { access: 'signature' }
  /** A session with at least `role`; or, unless `scope` is null, an API key with that scope whose creator has the role. */
  | {
      access: 'workspace';
      scope: Scope | null;
      role: Role;
      /** Also for an account whose address is not verified where that is asked for. */
      unverified?: boolean;
    };

export type Surface = 'operational' | 'workspace' | 'key' | 'both';

export type ResponseSpec = {
  description: string;
  /** Null for an empty body or one that is not JSON. */
  schema: z.ZodType | null;
  /** Default application/json. */
  contentType?: string;
  /** Further content types the same answer can have, chosen by the Accept header. */
  otherContentTypes?: readonly string[];
  /** Headers worth naming: name to description. */
  headers?: Readonly<Record<string, string>>;
};

export type Operation = {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters as {name}. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  surface: Surface;
  policy: Policy;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Query parameters that may be given several times; of any other the last one counts. */
  repeatable?: readonly string[];
  headers?: z.ZodObject;
  /** JSON body. */
  body?: z.ZodType;
  /** The handler gets the request's stream (uploads) or its bytes as they came (signatures, forms) as its body. */
  rawBody?: {
    contentType: string;
    description: string;
    as: 'stream' | 'bytes';
    /** JSON Schema of the form's fields, for the document; the handler checks them. */
    schema?: Readonly<Record<string, unknown>>;
    /** Or their schema, which the handler checks them with, and the fields that are files. */
    fields?: z.ZodType;
    files?: readonly string[];
  };
  /** Of a body that is read whole. Without it `bodyBytesMaxOf` decides. */
  bodyBytesMax?: number;
  /** Honours the Idempotency-Key header. */
  idempotent?: boolean;
  responses: Readonly<Record<number, ResponseSpec>>;
  /** Error codes it may answer with, beyond those that come with what it takes and who may call it (operation-errors.ts). */
  errors?: readonly ErrorCode[];
};

/** Keeps the literal types of the schemas, so that handlers are typed by the operation they implement. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** Of a route that anybody may call: its fields fit ten times over, and no stranger can make us read more. */
const OPEN_BODY_BYTES_MAX = 4_096;
const MEMBER_BODY_BYTES_MAX = 1_048_576;

export function bodyBytesMaxOf({ bodyBytesMax, policy }: Operation): number {
  return bodyBytesMax ?? (policy.access === 'workspace' ? MEMBER_BODY_BYTES_MAX : OPEN_BODY_BYTES_MAX);
}

/** A 2xx answer with a JSON body. */
export function json<S extends z.ZodType>(
  description: string,
  schema: S,
): { description: string; schema: S } {
  return { description, schema };
}

/** One page of a list. */
export function pageOf<S extends z.ZodType>(description: string, schema: S) {
  return { ...json(description, schema), headers: { Link: 'The next page, rel="next"' } };
}
