import {
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
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, type Asked, startTestService } from '../test-service.ts';
import { UsageError } from '../usage-error.ts';
import { runImport } from './import-command.ts';

/** Has every song already unless told otherwise, so that nothing is uploaded. */
const THERE: Answer = { body: [{ id: 'job_1' }] };
let answer: (asked: Asked) => Answer;
const service = await startTestService((asked) => answer(asked));

const KEYS = ['a.wav', 'archived.wav', 'b.wav'];
let listing: number;
const bucket = createServer(({ url }, response) => {
  const path = url!.split('?')[0];
  if (path === '/bucket' && listing === 200) {
    const entries = KEYS.map((key) => `<Contents><Key>${key}</Key><Size>4</Size><ETag>1</ETag></Contents>`);
    response.end(`<ListBucketResult>${entries.join('')}</ListBucketResult>`);
  } else if (path === '/bucket' || path === '/bucket/archived.wav') {
    response.writeHead(403).end('<Error><Message>The object is archived</Message></Error>');
  } else response.end(path);
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
  listing = 200;
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

  it('ends where the bucket itself is refused', async () => {
    listing = 403;
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

  it('knows no job of a song that another machine hands over under another name', async () => {
    const path = join(folder, 'both.wav');
    writeFileSync(path, 'both');
    answer = ({ method }) =>
      method === 'GET' ? { body: [] } : { status: 409, body: { code: 'idempotency_key_reused' } };
    expect(await runImport([path])).toBe(0);
    expect(service.printed[0]).toMatch(/^1 songs: 0 handed over, 1 there already, 0 refused/);
    expect(readJournals()).toContainEqual(expect.objectContaining({ name: path, job_id: null }));
  });
});

function readJournals(): object[] {
  const imports = join(process.env.XDG_CONFIG_HOME!, 'earshot', 'imports');
  const lines = readdirSync(imports).flatMap((name) => readFileSync(join(imports, name), 'utf8').split('\n'));
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}
