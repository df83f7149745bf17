import type { Readable } from 'node:stream';
import type { Operation, ResponseSpec } from '@earshot/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Context, MemberContext } from '../context.ts';

/** What a handler may need of the request itself, beyond its validated input. */
export type Raw = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** From the Idempotency-Key header, unquoted; null when absent or when the operation does not honour it. */
  idempotencyKey: string | null;
  /** Fingerprint of method, path, query and body, however its JSON is written; null where no key is honoured, or the body is streamed. */
  requestHash: string | null;
  /** For an answer that stays open: tells when the caller has lost the right to it. To be stopped at the end. */
  watchAccess(): Promise<AccessWatch>;
};

export type AccessWatch = {
  /** Aborted when the request would be refused if it came in now. */
  lost: AbortSignal;
  /** Asks now: what is about to be answered may have come of the very change that took the right away. */
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

type Payload = string | Buffer | Readable | null;

type AnswerBody<R extends ResponseSpec> =
  | (R['schema'] extends z.ZodType ? z.input<R['schema']> : Payload)
  | (R extends { otherContentTypes: readonly string[] } ? Readable : never);

/** One of the answers the operation declares, with the body that belongs to its status. */
export type AnswerOf<O extends Operation> = {
  [S in keyof O['responses'] & number]: {
    status: S;
    body: AnswerBody<O['responses'][S]> | (() => Promise<AnswerBody<O['responses'][S]>>);
    headers?: Record<string, string>;
    /** Names the content before it is read: to who has it already the body is never made. Without it the content itself is hashed. */
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

/** An operation with the code that answers it, its types forgotten: what a list of routes holds. */
export type Implementation = {
  operation: Operation;
  handle: (ctx: Context, input: InputOf<Operation>, raw: Raw) => Promise<Answer>;
};

export function implement<O extends Operation>(operation: O, handler: NoInfer<Handler<O>>): Implementation {
  // The app validates the input and authenticates by the operation's own schemas and policy before it calls this.
  return { operation, handle: handler as unknown as Implementation['handle'] };
}
