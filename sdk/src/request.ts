import { newIdempotencyKey } from './new-idempotency-key.ts';
import { OPERATION_TABLE } from './operation-table.generated.ts';
import { type Call, parseJson, type Query, type Transport } from './transport.ts';
import type { Operations } from './wire-types.generated.ts';

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

/** A property that is optional if the operation does not have this part, or if all of it may be omitted. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: undefined }
  : Partial<Value> extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value };

/**
 * The input of an operation: `params`, `query` and `body`, as far as it has them.
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
export type RequestInput<Id extends OperationId> = Part<'params', Operations[Id]['params']> &
  Part<'query', Operations[Id]['query']> &
  Part<'body', Operations[Id]['body']> & { idempotencyKey?: string; signal?: AbortSignal };

/**
 * The response of an operation.
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
export type RequestOutput<Id extends OperationId> = Operations[Id]['response'];

type OperationRow = readonly [method: Call['method'], path: string, idempotent?: true];

type LooseInput = {
  params?: Record<string, string>;
  query?: Query;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/**
 * Calls any operation that answers with JSON, by name, typed by the contract. An operation that supports idempotency keys gets one, so
 * that it can be retried safely.
 */
export function createRequest(call: Transport) {
  return async <Id extends OperationId>(id: Id, input: RequestInput<Id>): Promise<RequestOutput<Id>> => {
    const [method, path, idempotent]: OperationRow = OPERATION_TABLE[id];
    const given = input as LooseInput;
    // Repeats at run time what the types say: without a parameter the path would be that of another operation.
    const fill = (_placeholder: string, name: string) => {
      const value = given.params?.[name];
      if (value === undefined) throw new TypeError(`${id} needs params.${name}`);
      return encodeURIComponent(value);
    };
    const response = await call({
      method,
      path: path.replace(/\{(\w+)\}/g, fill),
      query: given.query,
      json: given.body,
      idempotencyKey: idempotent ? (given.idempotencyKey ?? newIdempotencyKey()) : undefined,
      signal: given.signal,
    });
    const text = await response.text();
    return text === '' ? (undefined as RequestOutput<Id>) : parseJson(text);
  };
}
