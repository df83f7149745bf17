import { describe, expect, it } from 'vitest';
import { Earshot } from './client.ts';
import { ApiError, ConnectionError } from './errors.ts';
import type { Call } from './transport.ts';
import { uploadFile } from './upload-file.ts';

const SIGNED_URL = 'https://storage.test/uploads/obj_1?signature=abc';

/** A service that hands out an upload slot in another house, and remembers what each address was sent. */
function createService() {
  const asked: { method: string; url: string; headers: Headers }[] = [];
  const earshot = new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test',
    fetch: async (url, init) => {
      asked.push({ method: init?.method ?? 'GET', url: String(url), headers: new Headers(init?.headers) });
      if (String(url).endsWith('/v1/storage-objects')) {
        return Response.json({ id: 'obj_1', signed_url: SIGNED_URL }, { status: 201 });
      }
      if (String(url) === SIGNED_URL) return new Response(null, { status: 200 });
      return Response.json({ id: 'job_1', status: 'queued', progress: 0 }, { status: 202 });
    },
  });
  return { earshot, asked };
}

describe('a file', () => {
  it('goes to the signed address without our credentials, and to nobody else', async () => {
    const { earshot, asked } = createService();
    const job = await earshot.analyses.create({ file: new Blob(['RIFF'], { type: 'audio/wav' }) });
    expect(job.id).toBe('job_1');
    expect(asked.map(({ method, url, headers }) => [method, url, headers.get('authorization')])).toEqual([
      ['POST', 'https://service.test/v1/storage-objects', 'Bearer es_live_secret'],
      ['PUT', SIGNED_URL, null],
      ['POST', 'https://service.test/v1/analyses', 'Bearer es_live_secret'],
    ]);
  });

  it('is sent for as long as it takes, and stops when the caller does', async () => {
    const calls: Call[] = [];
    const { signal } = new AbortController();
    const id = await uploadFile(
      async (call) => {
        calls.push(call);
        return call.method === 'POST'
          ? Response.json({ id: 'obj_1', signed_url: SIGNED_URL })
          : new Response(null, { status: 200 });
      },
      { file: new Blob(['RIFF'], { type: 'audio/wav' }), fileName: undefined, idempotencyKey: 'abc', signal },
    );
    expect(id).toBe('obj_1');
    expect(calls.map((call) => [call.signal === signal, call.timeoutMs])).toEqual([
      [true, undefined],
      [true, null],
    ]);
    expect(calls[0]!.json).toEqual({ content_type: 'audio/wav', purpose: 'upload', file_name: null });
  });

  it('is not taken for sent when no answer comes', async () => {
    const upload = { file: new Blob(['x']), fileName: 'a', idempotencyKey: 'abc', signal: undefined };
    const transport = (failure: Error) => async (call: Call) => {
      if (call.method === 'PUT') throw failure;
      return Response.json({ id: 'obj_1', signed_url: SIGNED_URL });
    };
    for (const failure of [new ConnectionError('No answer'), new ApiError(500, null, null)])
      await expect(uploadFile(transport(failure), upload)).rejects.toBe(failure);
  });

  it.each([
    ['audio/flac', 'audio/flac'],
    ['video/mp4', 'video/mp4'],
    ['text/html', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('of type "%s" is sent as %s', async (type, sent) => {
    const { earshot, asked } = createService();
    await earshot.analyses.create({ file: new Blob(['x'], { type }) });
    expect(asked[1]?.headers.get('content-type')).toBe(sent);
  });
});
