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
import { type Answer, type Asked, startTestService } from '../test-service.ts';
import { UsageError } from '../usage-error.ts';
import { runImport } from './import-command.ts';

// A wait is over at once.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

/** Has every song already unless told otherwise, so that nothing is uploaded. */
const THERE: Answer = { body: [{ id: 'job_1' }] };
let answer: (asked: Asked) => Answer;
const service = await startTestService((asked) => answer(asked));

let keys: string[];
let listingStatus: number;
/** In place of a status: an answer of 200 that is none of the store's. */
const LOGIN_PAGE = 0;
let etag: string;
/** Whether the bucket encodes keys as it was asked to, and says so. */
let encodesKeys: boolean;
/** Of every object. */
let objectBody: string | null;
/** Lists a key a page: the token of a page is its number. */
const bucket = createServer(({ url }, response) => {
  const { pathname: path, searchParams } = new URL(url!, 'http://localhost');
  if (path === '/bucket' && listingStatus === 200) {
    const pageIndex = Number(searchParams.get('continuation-token') ?? 0);
    const entries = keys
      .slice(pageIndex, pageIndex + 1)
      .map((key) =>
        encodesKeys ? encodeURIComponent(key) : key.replaceAll('&', '&amp;').replaceAll("'", '&#39;'),
      )
      .map((key) => `<Contents><Key>${key}</Key><Size>4</Size>${etag}</Contents>`);
    const encoding = encodesKeys ? '<EncodingType>url</EncodingType>' : '';
    const next = pageIndex + 1 < keys.length ? pageIndex + 1 : '';
    response.end(
      `<ListBucketResult>${encoding}${entries.join('')}<NextContinuationToken>${next}</NextContinuationToken></ListBucketResult>`,
    );
  } else if (path === '/bucket' && listingStatus === LOGIN_PAGE) {
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
  answer = () => THERE;
  keys = ['a.wav', 'archived.wav', 'b.wav'];
  listingStatus = 200;
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
  it('names an object that the bucket does not give out, and takes the others', async () => {
    expect(await runImport(['s3://bucket'])).toBe(1);
    expect(service.printed[0]).toMatch(/^3 songs: 0 handed over, 2 there already, 1 refused/);
    expect(written).toBe('s3://bucket/archived.wav: The object is archived\n');
  });

  it('ends where something else than the bucket answers, which is no empty bucket', async () => {
    listingStatus = LOGIN_PAGE;
    await expect(runImport(['s3://bucket'])).rejects.toThrow(/answered with no list of a bucket/);
  });

  it('says that the store is away', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    await expect(runImport(['s3://bucket'])).rejects.toThrow(
      new ConnectionError('No answer from http://127.0.0.1:1'),
    );
  });

  it('says that an object broke off', async () => {
    keys = ['broken.wav'];
    await expect(runImport(['s3://bucket'])).rejects.toThrow(ConnectionError);
  });

  it.each([true, false])('reads keys as they are written, encoded by the store: %s', async (encoded) => {
    encodesKeys = encoded;
    keys = [`100%25 R&B + Rock'n'Roll 🎵 ${encoded}.wav`];
    answer = handsOver();
    objectBody = `encoded: ${encoded}`;
    expect(await runImport(['s3://bucket'])).toBe(0);
    expect(slots()[0]!.body).toMatchObject({ file_name: keys[0] });
  });

  it.each(['a/../b.wav', './b.wav', 'a/../../bucket/b.wav'])(
    'takes no other object for %s, which no address can name',
    async (key) => {
      keys = [key];
      answer = handsOver();
      expect(await runImport(['s3://bucket'])).toBe(1);
      expect(slots()).toEqual([]);
      expect(written).toMatch(
        /^s3:\/\/bucket\/\S+: Its key has a part "\.\.?", which no address can name\n$/,
      );
    },
  );

  it('reads an object again of a store that tells no ETag', async () => {
    [etag, keys] = ['', ['untold.wav']];
    answer = handsOver();
    for (const body of ['one!', 'two!']) {
      objectBody = body;
      expect(await runImport(['s3://bucket'])).toBe(0);
    }
    expect(service.asked.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      'one!',
      'two!',
    ]);
  });

  it('ends where the bucket itself is refused', async () => {
    listingStatus = 403;
    await expect(runImport(['s3://bucket'])).rejects.toThrow(UsageError);
  });

  it('names a file that cannot be read, and takes the others', async () => {
    const songs = join(folder, 'songs');
    for (const name of ['a', 'b']) {
      mkdirSync(join(songs, name), { recursive: true });
      writeFileSync(join(songs, name, 'song.wav'), name);
    }
    answer = () => {
      // A link to itself, made after the files were listed: not even root can open what is below it.
      rmSync(join(songs, 'b'), { recursive: true });
      symlinkSync(join(songs, 'b'), join(songs, 'b'));
      return THERE;
    };
    expect(await runImport([songs, '--parallel', '1'])).toBe(1);
    expect(service.printed[0]).toMatch(/^2 songs: 0 handed over, 1 there already, 1 refused/);
    expect(written).toMatch(/^\S+\/songs\/b\/song\.wav: ELOOP/);
  });

  it.runIf(process.platform === 'linux')(
    'names what cannot be opened by its name, and takes the others',
    async () => {
      const songs = makeFolder('names', { 'a.wav': 'name' });
      writeFileSync(
        Buffer.concat([Buffer.from(`${songs}/caf`), Buffer.from([0xe9]), Buffer.from('.wav')]),
        '',
      );
      answer = handsOver();
      expect(await runImport([songs])).toBe(1);
      expect(service.printed[0]).toMatch(/^1 songs: 1 handed over, 0 there already, 0 refused/);
      expect(written).toBe(`${songs}/caf\ufffd.wav cannot be opened: its name is not UTF-8.\n`);
    },
  );

  it('names an empty file without sending it, and takes the others', async () => {
    const songs = makeFolder('with-an-empty-one', { 'a.wav': 'a', 'empty.wav': '' });
    answer = handsOver();
    expect(await runImport([songs])).toBe(1);
    expect(service.printed[0]).toMatch(/^2 songs: 1 handed over, 0 there already, 1 refused/);
    expect(written).toBe(`${join(songs, 'empty.wav')}: The file is empty\n`);
    expect(service.asked.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it('names a file that is written to while it is sent, and takes the others', async () => {
    const songs = makeFolder('growing', { 'a.wav': 'a grows', 'b.wav': 'b stays' });
    const takes = handsOver();
    answer = (asked) => {
      if (fileNameOf(asked.body) === 'a.wav') appendFileSync(join(songs, 'a.wav'), 'more');
      return takes(asked);
    };
    expect(await runImport([songs, '--parallel', '1'])).toBe(1);
    expect(service.printed[0]).toMatch(/^2 songs: 1 handed over, 0 there already, 1 refused/);
    expect(written).toBe(`${join(songs, 'a.wav')}: The file was changed or moved while it was sent\n`);
  });

  it('cuts a name that is too long for the service, and keeps its ending', async () => {
    // The cut falls into the middle of the last note.
    keys = [`${'♪'.repeat(250)}🎵${'x'.repeat(700)}.wav`];
    answer = handsOver();
    expect(await runImport(['s3://bucket'])).toBe(0);
    expect(slots()[0]!.body).toMatchObject({ file_name: `${'♪'.repeat(250)}.wav` });
  });

  it.each([
    ['without a code', { status: 422, body: { detail: [{ loc: ['body', 'file_name'], msg: 'No.' }] } }],
    ['too large', { status: 413, body: { code: 'payload_too_large', detail: 'No.' } }],
    ['too large for a proxy', { status: 413, body: null }],
  ])('names a file that is refused, and takes the others: %s', async (name, refusal) => {
    const songs = makeFolder(`refused ${name}`, { 'a.wav': `a ${name}`, 'b.wav': `b ${name}` });
    answer = handsOver(({ body }) => (fileNameOf(body) === 'a.wav' ? refusal : null));
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
  ])('ends at what would meet every file: $code', async ({ status, code }) => {
    const songs = makeFolder(code, { 'a.wav': `a ${code}`, 'b.wav': `b ${code}` });
    answer = handsOver(() => ({ status, headers: { 'retry-after': '0' }, body: { code } }));
    await expect(runImport([songs, '--parallel', '1'])).rejects.toMatchObject({ status, code });
    expect(service.printed[0]).toMatch(/^0 songs/);
  });

  it('finds the song that another machine hands over under another name', async () => {
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

  it('hands over a song that a killed run began under another name', async () => {
    const songs = makeFolder('renamed', { '01 song.wav': 'renamed' });
    const key = `import-${sha256Of('renamed')}`;
    answer = handsOver(({ idempotencyKey }) =>
      idempotencyKey === `upload-${key}` ? { status: 409, body: { code: 'idempotency_key_reused' } } : null,
    );
    expect(await runImport([songs])).toBe(0);
    expect(service.printed[0]).toMatch(/^1 songs: 1 handed over, 0 there already, 0 refused/);
    const named = `${key}-named-${sha256Of('01 song.wav').slice(0, 16)}`;
    expect(slots().at(-1)!.idempotencyKey).toBe(`upload-${named}`);
    expect(service.asked.at(-1)).toMatchObject({ path: '/v1/analyses', idempotencyKey: named });
    expect(journalLineOf(join(songs, '01 song.wav'))).toMatchObject({ job_id: 'job_new' });
  });

  it('goes on after a killed run whose slot has expired meanwhile', async () => {
    const songs = makeFolder('expired', { 'song.wav': 'expired' });
    const replayed = { 'idempotent-replayed': 'true' };
    answer = handsOver(({ method, path, body, idempotencyKey }) => {
      if (idempotencyKey?.startsWith('upload-import-'))
        return { status: 201, headers: replayed, body: slotOf('obj_old') };
      if (path === '/obj_old') return { status: 410, body: { code: 'gone' } };
      const isOld = method === 'POST' && JSON.stringify(body).includes('obj_old');
      return isOld ? { status: 409, body: { code: 'object_not_uploaded' } } : null;
    });
    expect(await runImport([songs])).toBe(0);
    expect(service.printed[0]).toMatch(/^1 songs: 1 handed over, 0 there already, 0 refused/);
    expect(service.asked.find(({ path }) => path === '/obj_new')?.body).toBe('expired');
  });

  it('asks again for a song that was noted down without a job', async () => {
    const songs = makeFolder('noted', { 'song.wav': 'noted' });
    answer = handsOver();
    await runImport([songs]);
    for (const [path, text] of readJournals())
      writeFileSync(path, text.replaceAll('"job_id":"job_new"', '"job_id":null'));
    await runImport([songs]);
    expect(service.printed[1]).toMatch(/^1 songs: 1 handed over, 0 there already, 0 refused/);
  });
});

/** Has no song yet and takes every one, unless `refuse` answers otherwise. */
function handsOver(refuse: (asked: Asked) => Answer | null = () => null) {
  return (asked: Asked): Answer => {
    if (asked.method === 'GET') return { body: [] };
    const refused = refuse(asked);
    if (refused) return refused;
    if (asked.path === '/v1/storage-objects') return { status: 201, body: slotOf('obj_new') };
    return asked.method === 'PUT' ? { body: {} } : { status: 202, body: { id: 'job_new' } };
  };
}

const slotOf = (id: string) => ({ id, signed_url: `${service.url}/${id}` });
const slots = () => service.asked.filter(({ path }) => path === '/v1/storage-objects');
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

/** Each with its path. */
function readJournals(): [string, string][] {
  const imports = join(process.env.XDG_CONFIG_HOME!, 'earshot', 'imports');
  return readdirSync(imports).map((name) => [join(imports, name), readFileSync(join(imports, name), 'utf8')]);
}
