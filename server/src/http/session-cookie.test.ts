import { expect, it } from 'vitest';
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from './session-cookie.ts';

const http = { baseUrl: 'http://localhost:8080' };
const https = { baseUrl: 'https://earshot.example' };

it.each([
  ['alone', http, 'earshot_session=es_sess_a', 'es_sess_a'],
  ['among others', http, 'theme=dark; earshot_session=es_sess_a;lang=en', 'es_sess_a'],
  ['with its prefix under https', https, '__Host-earshot_session=es_sess_a', 'es_sess_a'],
  ['without its prefix under https', https, 'earshot_session=es_sess_a', null],
  ['twice', http, 'earshot_session=es_sess_a; earshot_session=es_sess_b', null],
  ['as part of another name', http, 'old_earshot_session=es_sess_a', null],
  ['empty', http, 'earshot_session=', null],
  ['missing', http, undefined, null],
])('reads a cookie that is %s', (_, config, header, token) => {
  expect(readSessionCookie(config, header)).toBe(token);
});

it('writes and clears a cookie that scripts cannot read, and that is Secure under https', () => {
  const expiresAt = new Date('2026-03-10T12:00:00Z');
  expect(writeSessionCookie(https, 'es_sess_a', expiresAt)).toBe(
    '__Host-earshot_session=es_sess_a; Path=/; Expires=Tue, 10 Mar 2026 12:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
  );
  expect(clearSessionCookie(http)).toBe('earshot_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
});
