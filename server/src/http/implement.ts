import type { Readable } from 'node:stream';
import type { Operation, ResponseSpec } from '@earshot/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Context, MemberContext } from '../context.ts';

/** What a handler may need of the request itself, beyond its validated input. */
export type Raw = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** From the Idempotency-Key header, unquoted; null when absent or when the operation takes none. */
  idempotencyKey: string | null;
  /** Fingerprint of method, path, query and canonical body; null when the operation takes no key, or streams its body. */
  requestHash: string | null;
  /** For a request that stays open: watches whether the caller still has access. The handler must stop the watch. */
  watchAccess(): Promise<AccessWatch>;
};

export type AccessWatch = {
  /** Aborted once the request would no longer be accepted. */
  lost: AbortSignal;
  /** Checks now. For use right before an answer, since the change it reports may also have revoked the access. */
  isLost(): Promise<boolean>;
  stop(): void;
};

type Parsed<S> = S extends z.ZodType ? z.output<S> : Record<string, never>;

type BodyOf<O extends Operation> = O['body'] extends z.ZodType
  ? z.output<O['body']>
  : O extends { rawBody: { as: 'stream' } }
    ? Readable
    : O extends { rawBody: { as: 'bytes' } }
      ? Buffer
      : undefined;

export type InputOf<O extends Operation> = {
  params: Parsed<O['params']>;
  query: Parsed<O['query']>;
  headers: Parsed<O['headers']>;
  body: BodyOf<O>;
};

/** A stream has no ETag, so the operation must declare it. */
type AnswerBody<R extends ResponseSpec> = R extends { streamed: true }
  ? Readable
  : WholeBody<R> | (R extends { otherContentTypes: readonly string[] } ? Readable : never);

type WholeBody<R extends ResponseSpec> = R['schema'] extends z.ZodType
  ? z.input<R['schema']>
  : string | Buffer | null;

/** One of the answers the operation declares, with the body that belongs to its status. */
export type AnswerOf<O extends Operation> = {
  [S in keyof O['responses'] & number]: {
    status: S;
    body: AnswerBody<O['responses'][S]> | (() => Promise<AnswerBody<O['responses'][S]>>);
    headers?: Record<string, string>;
    /** An entity tag known before the body, which is not built for a client that has it. By default a hash of the body. */
    tag?: string;
  };
}[keyof O['responses'] & number];

export type ContextOf<O extends Operation> = O['policy'] extends { access: 'workspace' }
  ? MemberContext
  : Context;

export type Handler<O extends Operation> = (
  ctx: ContextOf<O>,
  input: InputOf<O>,
  raw: Raw,
) => Promise<AnswerOf<O>>;

export type Answer = { status: number; body: unknown; headers?: Record<string, string>; tag?: string };

/** An operation with its handler. The handler's types are erased, so that one list can contain all routes. */
export type Implementation = {
  operation: Operation;
  handle: (ctx: Context, input: InputOf<Operation>, raw: Raw) => Promise<Answer>;
};

export function implement<O extends Operation>(operation: O, handler: NoInfer<Handler<O>>): Implementation {
  // Safe: before calling the handler, the app validates the input by the schemas of the operation and authenticates by its policy.
  return { operation, handle: handler as unknown as Implementation['handle'] };
}
