import { pbkdf2 } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger, openLog } from './log.ts';

function captured(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } }));
  return lines.join('');
}

describe('createLogger', () => {
  const planted = 'P1aNt3dS3cr3t';

  it.each<[string, object]>([
    ['a header', { req: { headers: { authorization: `Bearer ${planted}` } } }],
    ['a field at the top', { token: planted }],
    ['a nested field', { a: { b: [{ c: { Set_Cookie: 1, 'set-cookie': [`a=${planted}]`, 'b'] } }] } }],
    ['a field with a list or an object', { secret: { value: `"} ${planted}`, n: 1 }, token: [1, planted] }],
    ['an API key in a sentence', { note: `the key es_live_${planted} was used` }],
    ['a webhook secret', { note: `whsec_${planted}` }],
    ['a password in an address', { url: `postgres://earshot:${planted}@db:5432/earshot` }],
    ['a password with an @ in an address', { url: `postgres://earshot:p@${planted}@db:5432/earshot` }],
    ['a token in a query', { url: `https://x.test/verify?token=${planted}&next=/` }],
    ...['authorization', 'cookie', 'set-cookie', 'x-api-key', 'stripe-signature', 'payment-signature'].map(
      (name): [string, object] => [`the header ${name}`, { headers: { [name]: planted } }],
    ),
    ...['Password', 'secret', 'token', 'code', 'api_key', 'access_token', 'signing_secret'].map(
      (name): [string, object] => [`the field ${name}`, { [name]: planted }],
    ),
    ...['es_sess_', 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'].map((prefix): [string, object] => [
      `a value that begins with ${prefix}`,
      { note: `${prefix}${planted}` },
    ]),
    ...['code', 'signature', 'X-Amz-Signature', 'X-Amz-Credential', 'key'].map((name): [string, object] => [
      `${name} in a query`,
      { url: `/x?a=1&${name}=${planted}` },
    ]),
    [
      'an error with the request attached',
      { err: Object.assign(new Error('refused'), { config: { data: planted } }) },
    ],
  ])('masks %s', (_name, fields) => {
    const line = captured((log) => log.info(fields, 'seen'));
    expect(line).toContain('seen');
    expect(line).not.toContain(planted);
  });

  it('masks e-mail addresses, and keeps host names and error codes', () => {
    const err = Object.assign(new Error('Refused <ada.l+x@mail.example.com>'), { code: 'EENVELOPE' });
    const line = captured((log) => log.info({ err, place: 'postgres://user:pw@db.example.com/x' }, 'seen'));
    expect(line).not.toContain('ada.l');
    expect(line).toContain('EENVELOPE');
    expect(line).toContain('[redacted]@db.example.com');
  });

  it('writes one line per message, whatever the text contains', () => {
    const lines = captured((log) => log.info({ name: 'a\nb\u001b[31m' }, 'first\r\nsecond'));
    expect(lines.trimEnd().split('\n')).toHaveLength(1);
    expect(lines).not.toContain('\u001b');
  });

  it('includes the cause of an error', () => {
    const error = new Error('outer', { cause: new Error('inner') });
    expect(JSON.parse(captured((log) => log.error({ err: error }, 'failed'))).err.cause.message).toBe(
      'inner',
    );
  });

  it('ends a circular chain of causes after four', () => {
    const error = new Error('circular');
    error.cause = error;
    const line = captured((log) => log.error({ err: error }, 'failed'));
    expect(line.match(/"cause":/g)).toHaveLength(4);
  });
});

describe('openLog', () => {
  it('writes the lines of twenty milliseconds in one batch', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = mkdtempSync(join(tmpdir(), 'earshot-log-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'lines');
    const log = createLogger({ level: 'info', destination: openLog(openSync(path, 'w')) });
    const written = () => readFileSync(path, 'utf8').split('\n').length - 1;
    for (const moment of [1, 2]) {
      log.info('one');
      vi.advanceTimersByTime(19);
      // Enough turns for a write to happen if one were started.
      for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
      log.info('another');
      expect(written()).toBe(2 * (moment - 1));
      vi.advanceTimersByTime(1);
      await vi.waitUntil(() => written() === 2 * moment);
    }
  });

  it('writes a full batch at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = mkdtempSync(join(tmpdir(), 'earshot-log-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'lines');
    const log = openLog(openSync(path, 'w'));
    const line = `${'x'.repeat(1_023)}\n`;
    for (let count = 0; count < 8; count++) log.write(line);
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    expect(readFileSync(path, 'utf8')).toBe('');
    log.write(line);
    await vi.waitUntil(() => readFileSync(path, 'utf8') === line.repeat(9));
  });

  it('writes the last lines when the process exits', () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-log-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'lines');
    openLog(openSync(path, 'w')).write('the last\n');
    const [atExit] = process.listeners('exit').slice(-1);
    atExit!(0);
    expect(readFileSync(path, 'utf8')).toBe('the last\n');
  });

  it('writes a fatal line and those before it synchronously, because the process may end next', () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-log-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'lines');
    const log = createLogger({ level: 'info', destination: openLog(openSync(path, 'w')) });
    // Keeps all threads busy that could do an asynchronous write.
    for (let thread = 0; thread < 16; thread++) pbkdf2('', '', 50_000, 64, 'sha512', () => {});
    log.info('one');
    log.fatal('the last');
    expect(readFileSync(path, 'utf8')).toMatch(/one.*\n.*the last/);
  });
});
