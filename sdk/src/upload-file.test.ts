import { describe, expect, it } from 'vitest';
import { Earshot } from './client.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { createTestService } from './test-service.ts';
import type { Call } from './transport.ts';
import { uploadFile } from './upload-file.ts';

const SIGNED_URL = 'https://storage.test/uploads/obj_1?signature=abc';

/** A service whose upload slots are on another host, and that records the requests it gets. */
function createService() {
  const requests: { method: string; url: string; headers: Headers }[] = [];
  const earshot = new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test',
    fetch: async (url, init) => {
      requests.push({ method: init?.method ?? 'GET', url: String(url), headers: new Headers(init?.headers) });
      if (String(url).endsWith('/v1/storage-objects')) {
        return Response.json({ id: 'obj_1', signed_url: SIGNED_URL }, { status: 201 });
      }
      if (String(url) === SIGNED_URL) return new Response(null, { status: 200 });
      return Response.json({ id: 'job_1', status: 'queued', progress: 0 }, { status: 202 });
    },
  });
  return { earshot, requests };
}

describe('submitting a file', () => {
  it('sends it to the signed URL without credentials', async () => {
    const { earshot, requests } = createService();
    const job = await earshot.analyses.create({ file: new Blob(['RIFF'], { type: 'audio/wav' }) });
    expect(job.id).toBe('job_1');
    expect(requests.map(({ method, url, headers }) => [method, url, headers.get('authorization')])).toEqual([
      ['POST', 'https://service.test/v1/storage-objects', 'Bearer es_live_secret'],
      ['PUT', SIGNED_URL, null],
      ['POST', 'https://service.test/v1/analyses', 'Bearer es_live_secret'],
    ]);
  });

  it('reports a file that cannot be read, and does not retry', async () => {
    const unreadable = new DOMException('The blob could not be read', 'NotReadableError');
    let puts = 0;
    const earshot = new Earshot({
      baseUrl: 'https://service.test',
      fetch: async (url) => {
        if (String(url) !== SIGNED_URL)
          return Response.json({ id: 'obj_1', signed_url: SIGNED_URL }, { status: 201 });
        puts += 1;
        throw new TypeError('fetch failed', { cause: unreadable });
      },
    });
    await expect(earshot.analyses.create({ file: new Blob(['RIFF']) })).rejects.toMatchObject({
      name: 'EarshotError',
      message: 'The file was changed or moved while it was sent',
      cause: unreadable,
    });
    expect(puts).toBe(1);
  });

  it('refuses a path, says how to open it, and sends nothing', async () => {
    const { earshot, requests } = createService();
    const input = { file: 'song.mp3' as unknown as Blob };
    await expect(earshot.analyses.create(input)).rejects.toThrow(
      new TypeError(
        'file must be a Blob, not a path. In Node: file: await openAsBlob("song.mp3"), from node:fs',
      ),
    );
    expect(requests).toEqual([]);
  });

  it.each([
    ['nothing', {}],
    ['an address and a file', { url: 'https://example.com/song.mp3', file: new Blob(['RIFF']) }],
    ['an address and an object', { url: 'https://example.com/song.mp3', storageObjectId: 'obj_1' }],
  ])('refuses %s before anything is sent', async (_, input) => {
    const { earshot, requests } = createService();
    await expect(earshot.analyses.create(input as { url: string })).rejects.toThrow(
      new TypeError('give exactly one of file, url and storageObjectId'),
    );
    expect(requests).toEqual([]);
  });

  it('has no timeout for the file, and passes on the signal of the caller', async () => {
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
      async (objectId) => objectId,
    );
    expect(id).toBe('obj_1');
    expect(calls.map((call) => [call.signal === signal, call.timeoutMs])).toEqual([
      [true, undefined],
      [true, null],
    ]);
    expect(calls[0]!.json).toEqual({ content_type: 'audio/wav', purpose: 'upload', file_name: null });
  });

  it('throws if the upload fails or gets no response', async () => {
    const upload = { file: new Blob(['x']), fileName: 'a', idempotencyKey: 'abc', signal: undefined };
    const transport = (failure: Error) => async (call: Call) => {
      if (call.method === 'PUT') throw failure;
      return Response.json({ id: 'obj_1', signed_url: SIGNED_URL });
    };
    for (const failure of [new ConnectionError('No answer'), new ApiError(500, null, null)])
      await expect(uploadFile(transport(failure), upload, async (id) => id)).rejects.toBe(failure);
  });

  it.each([
    ['audio/flac', 'audio/flac'],
    ['video/mp4', 'video/mp4'],
    ['text/html', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('sends the type "%s" as %s', async (type, sent) => {
    const { earshot, requests } = createService();
    await earshot.analyses.create({ file: new Blob(['x'], { type }) });
    expect(requests[1]?.headers.get('content-type')).toBe(sent);
  });
});

type Refusal = { status: number; code?: string };

/**
 * A service whose slots of an earlier submission, `old`, refuse the file; the next one is new. `jobOf` is the slot from which
 * the job of this key was created; null if there is none.
 */
function createRepeatedService(old: string[], refusal: Refusal, jobOf: string | null = null) {
  const refuse = ({ status, code }: Refusal) =>
    // Storage answers in XML.
    code ? Response.json({ code }, { status }) : new Response('<Error/>', { status });
  const replayed = [...old];
  const { earshot, requests } = createTestService(({ method, path, json }) => {
    if (path === '/v1/storage-objects') {
      const id = replayed.shift();
      return Response.json(
        { id: id ?? 'obj_new', signed_url: `https://storage.test/${id ?? 'obj_new'}` },
        { status: 201, headers: id ? { 'idempotent-replayed': 'true' } : {} },
      );
    }
    if (method === 'PUT')
      return old.includes(path.slice(1)) ? refuse(refusal) : new Response(null, { status: 200 });
    const { storage_object_id: id } = json as { storage_object_id: string };
    if (jobOf !== null && id !== jobOf) return refuse({ status: 409, code: 'idempotency_key_reused' });
    if (jobOf === null && old.includes(id)) {
      return refuse(refusal.status === 404 ? refusal : { status: 409, code: 'object_not_uploaded' });
    }
    return Response.json({ id: `job_of_${id}`, status: 'queued', progress: 0 }, { status: 202 });
  });
  const submit = () => earshot.analyses.create({ file: new Blob(['RIFF']), idempotencyKey: 'abc' });
  const keysOf = (wanted: string) =>
    requests.filter(({ path }) => path === wanted).map(({ headers }) => headers.get('idempotency-key'));
  return { submit, requests, keysOf };
}

describe('a repeated submission', () => {
  it.each<[string, Refusal]>([
    ['has expired', { status: 410, code: 'gone' }],
    ['was swept away', { status: 404, code: 'not_found' }],
    ['has expired at S3', { status: 403 }],
    ['has expired at Google', { status: 400 }],
  ])('fills a new slot when its own %s', async (_, refusal) => {
    const { submit, keysOf } = createRepeatedService(['obj_1', 'obj_2'], refusal);
    expect((await submit()).id).toBe('job_of_obj_new');
    // These keys are the same in every repetition, which therefore gets the same slots.
    expect(keysOf('/v1/storage-objects')).toEqual(['upload-abc', 'upload-after-obj_1', 'upload-after-obj_2']);
    expect(new Set(keysOf('/v1/analyses'))).toEqual(new Set(['abc']));
  });

  it('has a separate slot for each key, however long', async () => {
    const { earshot, requests } = createService();
    const [one, other] = ['~a', '~b'].map((end) => '!'.repeat(253) + end);
    for (const idempotencyKey of ['k'.repeat(248), 'k'.repeat(249), one, other])
      await earshot.analyses.create({ file: new Blob(['RIFF']), idempotencyKey });
    const keys = requests
      .filter(({ url }) => url.endsWith('/v1/storage-objects'))
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual([
      `upload-${'k'.repeat(248)}`,
      '4'.repeat(249),
      `${'~'.repeat(253)}!>`,
      `${'~'.repeat(253)}!=`,
    ]);
  });

  it('gets its job even when the file of its slot is gone', async () => {
    const gone = { status: 410, code: 'gone' };
    const first = createRepeatedService(['obj_1'], gone, 'obj_1');
    expect((await first.submit()).id).toBe('job_of_obj_1');
    expect(first.keysOf('/v1/storage-objects')).toEqual(['upload-abc']);
    const second = createRepeatedService(['obj_1', 'obj_2'], gone, 'obj_2');
    expect((await second.submit()).id).toBe('job_of_obj_2');
  });

  it.each<Refusal>([{ status: 403 }, { status: 404, code: 'not_found' }, { status: 410, code: 'gone' }])(
    'throws if a new slot is refused too: $status',
    async (refusal) => {
      const { earshot, requests } = createTestService(({ method, path }) => {
        if (method === 'PUT') return Response.json({ code: refusal.code }, { status: refusal.status });
        return path === '/v1/storage-objects'
          ? Response.json({ id: 'obj_1', signed_url: SIGNED_URL }, { status: 201 })
          : Response.json({ code: 'object_not_uploaded' }, { status: 409 });
      });
      const submitted = earshot.analyses.create({ file: new Blob(['RIFF']) });
      await expect(submitted).rejects.toMatchObject({ status: refusal.status });
      expect(requests.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST']);
    },
  );

  it('throws if the file or the request is refused, and requests no other slot', async () => {
    const tooLarge = { status: 413, code: 'payload_too_large' };
    const { submit, keysOf } = createRepeatedService(['obj_1'], tooLarge);
    await expect(submit()).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(keysOf('/v1/storage-objects')).toEqual(['upload-abc']);
    const arrived = createRepeatedService(['obj_1'], { status: 409, code: 'object_already_uploaded' });
    await expect(arrived.submit()).rejects.toMatchObject({ code: 'object_not_uploaded' });
    expect(arrived.keysOf('/v1/storage-objects')).toEqual(['upload-abc']);
  });
});
