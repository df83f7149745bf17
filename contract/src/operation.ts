import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';

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
  /** Anyone. A code or token from a mail is redeemed like other input. */
  | { access: 'public' }
  /** The handler checks a signature or token in the request. */
  | { access: 'signature' }
  /** A session with at least `role`. Unless `scope` is null, also an API key with that scope whose creator has the role. */
  | {
      access: 'workspace';
      scope: Scope | null;
      role: Role;
      /** Also allowed with an unverified address, where the installation requires verified ones. */
      unverified?: boolean;
    };

export type Surface = 'operational' | 'workspace' | 'key' | 'both';

export type ResponseSpec = {
  description: string;
  /** Null for an empty body or one that is not JSON. */
  schema: z.ZodType | null;
  /** Default application/json. */
  contentType?: string;
  /** Other content types of the same response, selected by the Accept header. */
  otherContentTypes?: readonly string[];
  /** Sent while it is produced, so that it has no ETag and is never 304. */
  streamed?: boolean;
  /** Descriptions of headers, by name. */
  headers?: Readonly<Record<string, string>>;
};

/**
 * A route of the public interface as data: its input, its responses and who may call it. The server binds a handler to it; the OpenAPI
 * document and the types of the SDK are generated from it. An operation without a policy does not compile, and the server does not start
 * if an operation has no handler.
 */
export type Operation = {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parameters are written as {name}. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  surface: Surface;
  policy: Policy;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Query parameters that may be given several times. For all others, the last value counts. */
  repeatable?: readonly string[];
  headers?: z.ZodObject;
  /** JSON body. */
  body?: z.ZodType;
  /** The handler gets the body as a stream (uploads) or as bytes (signatures, forms). */
  rawBody?: {
    contentType: string;
    description: string;
    as: 'stream' | 'bytes';
    /** JSON Schema of the form, for the document; the handler checks the fields itself. */
    schema?: Readonly<Record<string, unknown>>;
    /** An alternative to `schema`: the schema that the handler validates the fields with, and the names of the file fields. */
    fields?: z.ZodType;
    files?: readonly string[];
  };
  /** The size limit of a body that is read whole; by default that of `bodyBytesMaxOf`. */
  bodyBytesMax?: number;
  /** Honours the Idempotency-Key header. */
  idempotent?: boolean;
  responses: Readonly<Record<number, ResponseSpec>>;
  /** Its own error codes, in addition to those that follow from its policy and its input (operation-errors.ts). */
  errors?: readonly ErrorCode[];
};

/** Preserves the literal types of an operation, so that its handler is typed by it. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** For routes without credentials: several times what their fields need, and too little for strangers to load the service with. */
const OPEN_BODY_BYTES_MAX = 4_096;
/** Promised in docs/errors.md. */
const MEMBER_BODY_BYTES_MAX = 1_048_576;

export function bodyBytesMaxOf({ bodyBytesMax, policy }: Operation): number {
  return bodyBytesMax ?? (policy.access === 'workspace' ? MEMBER_BODY_BYTES_MAX : OPEN_BODY_BYTES_MAX);
}

/** A response with a JSON body. */
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
