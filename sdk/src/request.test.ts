import { describe, expect, expectTypeOf, it } from 'vitest';
import { createRequest } from './request.ts';
import type { Call } from './transport.ts';

describe('request', () => {
  it('fills in the path, adds an idempotency key where one is supported, and parses the response', async () => {
    const calls: Call[] = [];
    const request = createRequest(async (call) => {
      calls.push(call);
      return new Response(JSON.stringify({ revoked: true }));
    });
    const answer = await request('revokeApiKey', { params: { api_key_id: 'key/1' } });
    expectTypeOf(answer.revoked).toEqualTypeOf<boolean>();
    expect(answer).toEqual({ revoked: true });
    expect(calls[0]).toMatchObject({
      method: 'DELETE',
      path: '/v1/api-keys/key%2F1',
      idempotencyKey: undefined,
    });

    await request('createApiKey', { body: { name: 'studio', scopes: ['analyses:read'] } });
    expect(calls[1]).toMatchObject({
      method: 'POST',
      path: '/v1/api-keys',
      json: { name: 'studio', scopes: ['analyses:read'] },
    });
    expect(calls[1]?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  it('passes on the query, the signal and the idempotency key of the caller', async () => {
    const calls: Call[] = [];
    const request = createRequest(async (call) => {
      calls.push(call);
      return new Response('[]');
    });
    const { signal } = new AbortController();
    await request('listAnalyses', { query: { limit: 5 }, signal });
    await request('createApiKey', { body: { name: 'a', scopes: [] }, idempotencyKey: 'abcdefgh' });
    expect(calls[0]!.query).toEqual({ limit: 5 });
    expect(calls[0]!.signal).toBe(signal);
    expect(calls[1]!.idempotencyKey).toBe('abcdefgh');
  });

  it('names a missing path parameter, and sends nothing', async () => {
    const calls: Call[] = [];
    const request = createRequest(async (call) => {
      calls.push(call);
      return new Response('{}');
    });
    const incomplete = { params: {} } as { params: { api_key_id: string } };
    await expect(request('revokeApiKey', incomplete)).rejects.toThrow(
      new TypeError('revokeApiKey needs params.api_key_id'),
    );
    expect(calls).toEqual([]);
  });

  it('has no value for an empty response', async () => {
    const request = createRequest(async () => new Response(null, { status: 204 }));
    expect(await request('listAnalysisEvents', { params: { job_id: 'job_1' } })).toBeUndefined();
  });

  it('does not compile without required input', () => {
    const request = createRequest(async () => new Response('{}'));
    // @ts-expect-error the name is missing
    void (() => request('createApiKey', { body: { scopes: ['analyses:read'] } }));
    // @ts-expect-error the path parameter is missing
    void (() => request('revokeApiKey', {}));
  });
});
