import type { Operation, operations } from '@earshot/contract';
import type { z } from 'zod';
import { OPERATION_TABLE } from './operation-table.generated.ts';
import type { Transport } from './transport.ts';

type Groups = typeof operations;
type AnyOperation = { [G in keyof Groups]: Groups[G][keyof Groups[G]] }[keyof Groups];

/**
 * Name of an operation, as in the OpenAPI document.
 *
 * @example
 * ```ts
 * import { Earshot, type OperationId } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const operation: OperationId = 'getUsage';
 * console.log(operation, await earshot.request(operation, {}));
 * ```
 */
export type OperationId = keyof typeof OPERATION_TABLE;
type OperationOf<Id extends OperationId> = Extract<AnyOperation, { id: Id }>;

/** What the operation takes in one of its parts; undefined for a part it does not have. */
type Given<O, Name extends string> = O extends { [N in Name]: infer S extends z.ZodType }
  ? z.input<S>
  : undefined;
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: undefined }
  : Partial<Value> extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value };

/**
 * What an operation takes: `params`, `query` and `body`, as far as it has them.
 *
 * @example
 * ```ts
 * import { Earshot, type RequestInput } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const input: RequestInput<'createStorageObject'> = { body: { content_type: 'audio/flac' } };
 * const slot = await earshot.request('createStorageObject', input);
 * console.log(slot.signed_url, slot.bytes_max);
 * ```
 */
export type RequestInput<Id extends OperationId> = Part<'params', Given<OperationOf<Id>, 'params'>> &
  Part<'query', Given<OperationOf<Id>, 'query'>> &
  Part<'body', Given<OperationOf<Id>, 'body'>> & { idempotencyKey?: string; signal?: AbortSignal };

type Answers<O extends Operation> = {
  [S in keyof O['responses'] & number]: O['responses'][S]['schema'] extends z.ZodType
    ? z.output<O['responses'][S]['schema']>
    : undefined;
}[keyof O['responses'] & number];

/**
 * What an operation answers.
 *
 * @example
 * ```ts
 * import { Earshot, type RequestOutput } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const print = (usage: RequestOutput<'getUsage'>) => console.log(JSON.stringify(usage));
 * print(await earshot.request('getUsage', {}));
 * ```
 */
export type RequestOutput<Id extends OperationId> = Answers<OperationOf<Id>>;

type LooseInput = {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/**
 * Calls any operation by its name, typed by the contract. An operation that honours idempotency keys gets one, so that it
 * can be repeated safely.
 */
export function createRequest(call: Transport) {
  return async <Id extends OperationId>(id: Id, input: RequestInput<Id>): Promise<RequestOutput<Id>> => {
    const { method, path, idempotent } = OPERATION_TABLE[id];
    const given = input as LooseInput;
    const response = await call({
      method,
      path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.params?.[name] ?? '')),
      query: given.query,
      json: given.body,
      idempotencyKey: idempotent ? (given.idempotencyKey ?? crypto.randomUUID()) : undefined,
      signal: given.signal,
    });
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as RequestOutput<Id>;
  };
}
