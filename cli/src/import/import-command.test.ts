import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionError } from '@earshot/sdk';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { explainFailure } from '../explain-failure.ts';
import { replaceDelays } from '../test-delays.ts';
import { type Answer, type ReceivedRequest, startTestService } from '../test-service.ts';
import { runImport } from './import-command.ts';

replaceDelays(() => {});

/** The answer of a service that has every song already: the default, so that nothing is uploaded. */
const FOUND: Answer = { body: [{ id: 'job_1' }] };
let answer: (request: ReceivedRequest) => Answer;
const service = await startTestService((request) => answer(request));

let keys: string[];
/** How the bucket answers a request for its list: with it, with a refusal, or with a page of status 200 that is not the store's. */
let listing: 'list' | 'refusal' | 'login page';
let etag: string;
/** Whether the bucket honours `encoding-type`, and says so. */
let encodesKeys: boolean;
/** The contents of every object; null: its own path. */
let objectBody: string | null;
/** Lists one key per page; the continuation token is the index of the page. */
const bucket = createServer(({ url }, response) => {
  const { pathname: path, searchParams } = new URL(url!, 'http://localhost');
  if (path === '/bucket' && listing === 'list') {
    const pageIndex = Number(searchParams.get('continuation-token') ?? 0);
    const entries = keys
      .slice(pageIndex, pageIndex + 1)
      .map((key) =>
        encodesKeys
          ? encodeURIComponent(key)
          : key.replaceAll('&', '&#38;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;'),
      )
      .map((key) => `<Contents><Key>${key}</Key><Size>4</Size>${etag}</Contents>`);
    const encoding = encodesKeys ? '<EncodingType>url</EncodingType>' : '';
    const next = pageIndex + 1 < keys.length ? pageIndex + 1 : '';
    response.end(
      `<ListBucketResult>${encoding}${entries.join('')}<NextContinuationToken>${next}</NextContinuationToken></ListBucketResult>`,
    );
  } else if (path === '/bucket' && listing === 'login page') {
    response.end('<!doctype html>Sign in to this network');
  } else if (path === '/bucket/broken.wav') {
    response.writeHead(200, { 'content-length': 100 }).write('part');
    setImmediate(() => response.destroy());
  } else if (path === '/bucket' || path === '/bucket/archived.wav') {
    response.writeHead(403).end('<Error><Message>The object is archived</Message></Error>');
  } else response.end(objectBody ?? path);
});
await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve));
const folder = mkdtempSync(join(tmpdir(), 'earshot-import-'));
afterAll(() => {
  bucket.close();
  rmSync(folder, { recursive: true, force: true });
});

let written: string;
beforeEach(() => {
  answer = () => FOUND;
  keys = ['a.wav', 'archived.wav', 'b.wav'];
  listing = 'list';
  etag = '<ETag>1</ETag>';
  encodesKeys = true;
  objectBody = null;
  written = '';
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += text;
    return true;
  });
});

describe('earshot import', () => {
  it('names an object that the store refuses, and imports the others', async () => {
    expect(await runImport(['s3://bucket'])).toBe(1);
    expect(service.printed[0]).toMatch(/^3 songs: 0 handed over, 2 there already, 1 refused/);
    expect(written).toBe('s3://bucket/archived.wav: The object is archived\n');
  });

  it.each([
    ['the bucket itself is refused', 'refusal', /^s3:\/\/bucket: The object is archived$/],
    // It must not be taken for an empty bucket.
    [
      'something other than the store answers',
      'login page',
      /^s3:\/\/bucket: http:\S+ did not answer with the list of a bucket$/,
    ],
  ] as const)('ends with the exit code for the service when %s', async (_, answered, message) => {
    listing = answered;
    const failure = await runImport(['s3://bucket']).catch(explainFailure);
    expect(failure).toEqual({ message: expect.stringMatching(message), exitCode: 3 });
  });

  it('reports a store that cannot be reached', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    await expect(runImport(['s3://bucket'])).rejects.toThrow(
      new ConnectionError('No answer from http://127.0.0.1:1'),
    );
  });

  it('reports a download that breaks off', async () => {
    keys = ['broken.wav'];
    await expect(runImport(['s3://bucket'])).rejects.toThrow(ConnectionError);
  });

  it.each([true, false])('decodes keys, encoded by the store: %s', async (encoded) => {
    encodesKeys = encoded;
    keys = [`100%25 R&B &amp; "Rock'n'Roll" + 🎵 ${encoded}.wav`];
    answer = acceptUploads();
    objectBody = `encoded: ${encoded}`;
    expect(await runImport(['s3://bucket'])).toBe(0);
    expect(slots()[0]!.body).toMatchObject({ file_name: keys[0] });
  });

  it.each(['a/../b.wav', './b.wav', 'a/../../bucket/b.wav'])(
    'refuses the key %s, whose URL would name another object',
    async (key) => {
      keys = [key];
      answer = acceptUploads();
      expect(await runImport(['s3://bucket'])).toBe(1);
      expect(slots()).toEqual([]);
      expect(written).toMatch(/^s3:\/\/bucket\/\S+: Its key has a part "\.\.?", which no URL can contain\n$/);
    },
  );

  it('reads an object again when the store has no ETag for it', async () => {
    [etag, keys] = ['', ['untold.wav']];
    answer = acceptUploads();
    for (const body of ['one!', 'two!']) {
      objectBody = body;
      expect(await runImport(['s3://bucket'])).toBe(0);
    }
    expect(service.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      'one!',
      'two!',
    ]);
  });

  it('names a file that cannot be read, and imports the others', async () => {
    const songs = join(folder, 'songs');
    for (const name of ['a', 'b']) {
      mkdirSync(join(songs, name), { recursive: true });
      writeFileSync(join(songs, name, 'song.wav'), name);
    }
    answer = () => {
      // A link to itself, made after the listing: not even root can open a path through it.
      rmSync(join(songs, 'b'), { recursive: true });
      symlinkSync(join(songs, 'b'), join(songs, 'b'));
      return FOUND;
    };
    expect(await runImport([songs, '--parallel', '1'])).toBe(1);
    expect(service.printed[0]).toMatch(/^2 songs: 0 handed over, 1 there already, 1 refused/);
    expect(written).toMatch(/^\S+\/songs\/b\/song\.wav: ELOOP/);
  });

  it.runIf(process.platform === 'linux')(
    'names a file whose name is not UTF-8, and imports the others',
    async () => {
      const songs = makeFolder('names', { 'a.wav': 'name' });
      writeFileSync(
        Buffer.concat([Buffer.from(`${songs}/caf`), Buffer.from([0xe9]), Buffer.from('.wav')]),
        '',
      );
      answer = acceptUploads();
      expect(await runImport([songs])).toBe(1);
      expect(service.printed[0]).toMatch(/^1 songs: 1 handed over, 0 there already, 0 refused/);
      expect(written).toBe(`${songs}/caf\ufffd.wav cannot be opened: its name is not UTF-8.\n`);
    },
  );

  it('names an empty file without uploading it, and imports the others', async () => {
    const songs = makeFolder('with-an-empty-one', { 'a.wav': 'a', 'empty.wav': '' });
    answer = acceptUploads();
    expect(await runImport([songs])).toBe(1);
    expect(service.printed[0]).toMatch(/^2 songs: 1 handed over, 0 there already, 1 refused/);
    expect(written).toBe(`${join(songs, 'empty.wav')}: The file is empty\n`);
    expect(service.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it('names a file that changes during its upload, and imports the others', async () => {
    const songs = makeFolder('growing', { 'a.wav': 'a grows', 'b.wav': 'b stays' });
    const accept = acceptUploads();
    answer = (request) => {
      if (fileNameOf(request.body) === 'a.wav') appendFileSync(join(songs, 'a.wav'), 'more');
      return accept(request);
    };
    expect(await runImport([songs, '--parallel', '1'])).toBe(1);
    expect(service.printed[0]).toMatch(/^2 songs: 1 handed over, 0 there already, 1 refused/);
    expect(written).toBe(`${join(songs, 'a.wav')}: The file was changed or moved while it was sent\n`);
  });

  it('cuts a name that is too long for the service, and keeps its extension', async () => {
    // The limit of 255 falls in the middle of the surrogate pair.
    keys = [`${'♪'.repeat(250)}🎵${'x'.repeat(700)}.wav`];
    answer = acceptUploads();
    expect(await runImport(['s3://bucket'])).toBe(0);
    expect(slots()[0]!.body).toMatchObject({ file_name: `${'♪'.repeat(250)}.wav` });
  });

  it.each([
    ['without a code', { status: 422, body: { detail: [{ loc: ['body', 'file_name'], msg: 'No.' }] } }],
    ['too large', { status: 413, body: { code: 'payload_too_large', detail: 'No.' } }],
    ['too large for a proxy', { status: 413, body: null }],
  ])('names a file that is refused, and imports the others: %s', async (name, refusal) => {
    const songs = makeFolder(`refused ${name}`, { 'a.wav': `a ${name}`, 'b.wav': `b ${name}` });
    answer = acceptUploads(({ body }) => (fileNameOf(body) === 'a.wav' ? refusal : null));
    expect(await runImport([songs])).toBe(1);
    expect(service.printed[0]).toMatch(/^2 songs: 1 handed over, 0 there already, 1 refused/);
    expect(written).toMatch(/a\.wav: (body\.file_name: )?(No\.|The service answered 413)\n$/);
  });

  it.each([
    { status: 401, code: 'unauthorized' },
    { status: 402, code: 'quota_exceeded' },
    { status: 403, code: 'insufficient_scope' },
    { status: 413, code: 'storage_quota_exceeded' },
    { status: 429, code: 'rate_limited' },
    { status: 500, code: 'internal' },
    { status: 507, code: 'storage_full' },
  ])('ends at a refusal that would meet every file: $code', async ({ status, code }) => {
    const songs = makeFolder(code, { 'a.wav': `a ${code}`, 'b.wav': `b ${code}` });
    answer = acceptUploads(() => ({ status, headers: { 'retry-after': '0' }, body: { code } }));
    await expect(runImport([songs, '--parallel', '1'])).rejects.toMatchObject({ status, code });
    expect(service.printed[0]).toMatch(/^0 songs/);
  });

  it.each([
    { code: 'idempotency_in_progress', headers: { 'retry-after': '0' } },
    { code: 'object_not_uploaded' },
  ])('waits for a song that another machine is uploading: $code', async ({ code, headers }) => {
    const songs = makeFolder(code, { 'a.wav': code });
    let conflictCount = 0;
    answer = acceptUploads(({ path }) => {
      if (path !== '/v1/analyses' || conflictCount === 2) return null;
      conflictCount += 1;
      return { status: 409, headers, body: { code } };
    });
    expect(await runImport([songs])).toBe(0);
    expect(service.printed[0]).toMatch(/^1 songs: 1 handed over, 0 there already, 0 refused/);
    expect(submissions().map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      Array(3).fill(`import-${sha256Of(code)}`),
    );
  });

  it('waits for a song that another machine uploads under another name', async () => {
    const songs = makeFolder('both', { 'both.wav': 'both' });
    let found = 0;
    answer = ({ method }) => {
      if (method === 'POST') return { status: 409, body: { code: 'idempotency_key_reused' } };
      found += 1;
      return found > 3 ? { body: [{ id: 'job_other' }] } : { body: [] };
    };
    expect(await runImport([songs])).toBe(0);
    expect(service.printed[0]).toMatch(/^1 songs: 0 handed over, 1 there already, 0 refused/);
    expect(journalLineOf(join(songs, 'both.wav'))).toMatchObject({ job_id: 'job_other' });
  });

  it('uploads a song that a killed run started under another name', async () => {
    const songs = makeFolder('renamed', { '01 song.wav': 'renamed' });
    const key = `import-${sha256Of('renamed')}`;
    answer = acceptUploads(({ idempotencyKey }) =>
      idempotencyKey === `upload-${key}` ? { status: 409, body: { code: 'idempotency_key_reused' } } : null,
    );
    expect(await runImport([songs])).toBe(0);
    expect(service.printed[0]).toMatch(/^1 songs: 1 handed over, 0 there already, 0 refused/);
    const named = `${key}-named-${sha256Of('01 song.wav').slice(0, 16)}`;
    expect(slots().at(-1)!.idempotencyKey).toBe(`upload-${named}`);
    expect(service.requests.at(-1)).toMatchObject({ path: '/v1/analyses', idempotencyKey: named });
    expect(journalLineOf(join(songs, '01 song.wav'))).toMatchObject({ job_id: 'job_new' });
  });

  it.each([
    ['there already', 200, '0 handed over, 1 there already', ['']],
    ['submitted again if it was deleted', 404, '1 handed over, 0 there already', ['', '-after-job_old']],
  ])('a song submitted in the last day is %s', async (name, status, counts, keyEnds) => {
    const songs = makeFolder(name, { 'song.wav': name });
    const key = `import-${sha256Of(name)}`;
    const accept = acceptUploads(({ path, idempotencyKey }) =>
      path === '/v1/analyses' && idempotencyKey === key
        ? { status: 202, body: { id: 'job_old', idempotent_replay: true } }
        : null,
    );
    answer = (request) =>
      request.path === '/v1/analyses/job_old' ? { status, body: { id: 'job_old' } } : accept(request);
    expect(await runImport([songs])).toBe(0);
    expect(service.printed[0]).toContain(`1 songs: ${counts}, 0 refused`);
    expect(submissions().map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      keyEnds.map((end) => key + end),
    );
  });

  it('ends when the keys with and without the file name are taken, and the song never appears', async () => {
    const songs = makeFolder('reused', { 'song.wav': 'reused' });
    const reused = { status: 409, body: { code: 'idempotency_key_reused' } };
    answer = ({ method }) => (method === 'GET' ? { body: [] } : reused);
    await expect(runImport([songs])).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(slots()).toHaveLength(2);
  });

  it('recovers from a killed run whose upload slot has expired', async () => {
    const songs = makeFolder('expired', { 'song.wav': 'expired' });
    const replayed = { 'idempotent-replayed': 'true' };
    answer = acceptUploads(({ method, path, body, idempotencyKey }) => {
      if (idempotencyKey?.startsWith('upload-import-'))
        return { status: 201, headers: replayed, body: slotOf('obj_old') };
      if (path === '/obj_old') return { status: 410, body: { code: 'gone' } };
      const isOld = method === 'POST' && JSON.stringify(body).includes('obj_old');
      return isOld ? { status: 409, body: { code: 'object_not_uploaded' } } : null;
    });
    expect(await runImport([songs])).toBe(0);
    expect(service.printed[0]).toMatch(/^1 songs: 1 handed over, 0 there already, 0 refused/);
    expect(service.requests.find(({ path }) => path === '/obj_new')?.body).toBe('expired');
  });

  it('divides the songs among the machines of --share', async () => {
    keys = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `shared/${letter}.wav`);
    answer = acceptUploads();
    const importShare = async (share: string) => {
      service.requests.length = 0;
      expect(await runImport(['s3://bucket', '--share', share])).toBe(0);
      return slots().map(({ body }) => fileNameOf(body));
    };
    // `printf s3://bucket/shared/a.wav | sha256sum`: the first 32 bits are even for all but b.
    expect((await importShare('1/2')).sort()).toEqual(['a.wav', 'c.wav', 'd.wav', 'e.wav', 'f.wav']);
    expect(await importShare('2/2')).toEqual(['b.wav']);
  });

  it.each(['0/2', '3/2', '2', '1.5/2', 'a/b', '1/2/3'])('refuses --share %s', async (share) => {
    await expect(runImport([folder, '--share', share])).rejects.toThrow(/--share names one of several parts/);
  });

  it('imports every song without its journal, and says so', async () => {
    const songs = makeFolder('no-journal', { 'a.wav': 'no journal a', 'b.wav': 'no journal b' });
    const config = join(folder, 'no-journal-config');
    mkdirSync(join(config, 'earshot'), { recursive: true });
    writeFileSync(join(config, 'earshot', 'imports'), '');
    vi.stubEnv('XDG_CONFIG_HOME', config);
    answer = acceptUploads();
    expect(await runImport([songs])).toBe(1);
    expect(service.printed[0]).toMatch(/^2 songs: 2 handed over, 0 there already, 0 refused/);
    expect(written).toMatch(/^The journal .+\n$/);
  });

  it('asks again for a song that the journal of an earlier version has without a job', async () => {
    const songs = makeFolder('noted', { 'song.wav': 'noted' });
    answer = acceptUploads();
    await runImport([songs]);
    for (const [path, text] of readJournals())
      writeFileSync(path, text.replaceAll('"job_id":"job_new"', '"job_id":null'));
    await runImport([songs]);
    expect(service.printed[1]).toMatch(/^1 songs: 1 handed over, 0 there already, 0 refused/);
  });
});

/** A service that has no song yet and accepts every one, unless `refuse` returns an answer. */
function acceptUploads(refuse: (request: ReceivedRequest) => Answer | null = () => null) {
  return (request: ReceivedRequest): Answer => {
    if (request.method === 'GET') return { body: [] };
    const refused = refuse(request);
    if (refused) return refused;
    if (request.path === '/v1/storage-objects') return { status: 201, body: slotOf('obj_new') };
    return request.method === 'PUT' ? { body: {} } : { status: 202, body: { id: 'job_new' } };
  };
}

const slotOf = (id: string) => ({ id, signed_url: `${service.url}/${id}` });
const slots = () => service.requests.filter(({ path }) => path === '/v1/storage-objects');
const submissions = () =>
  service.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/analyses');
const fileNameOf = (body: unknown) => (body as { file_name?: string } | null)?.file_name;
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

function makeFolder(name: string, files: Record<string, string>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

function journalLineOf(name: string): object | undefined {
  const lines = readJournals().flatMap(([, text]) => text.split('\n').filter(Boolean));
  return lines.map((line) => JSON.parse(line)).find((line) => line.name === name);
}

/** Path and text of each. */
function readJournals(): [string, string][] {
  const imports = join(process.env.XDG_CONFIG_HOME!, 'earshot', 'imports');
  return readdirSync(imports).map((name) => [join(imports, name), readFileSync(join(imports, name), 'utf8')]);
}
