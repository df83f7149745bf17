import { expect, test } from 'vitest';
import { explainHttpUrl } from './http-url.ts';

test.each([
  'https://example.com/a.mp3',
  'HTTP://X',
  ' http://x.com ',
  'http://foo..bar',
  'http://a_b.com',
  'https:///x',
])('accepts %j, as pydantic does', (text) => {
  expect(explainHttpUrl(text)).toBeNull();
});

// The messages were obtained by running pydantic 2.13 on each text.
test.each([
  ['', 'input is empty'],
  [' ', 'relative URL without a base'],
  ['abc', 'relative URL without a base'],
  ['//a.b', 'relative URL without a base'],
  ['http://', 'empty host'],
  ['http:', 'empty host'],
  ['http://user@/', 'empty host'],
  ['http://[::1', 'invalid IPv6 address'],
  ['http://[zz]/', 'invalid IPv6 address'],
  ['http://a:99999/', 'invalid port number'],
  ['http://a:x/', 'invalid port number'],
  ['http://[::1]:99999/', 'invalid port number'],
  ['http://[::1]x/', 'invalid IPv6 address'],
  ['http://a:99999:1/', 'invalid port number'],
  ['http://1.2.3.4.5/', 'invalid IPv4 address'],
  ['http://256.1.1.1/', 'invalid IPv4 address'],
  ['http://1.2.3.4.5:99999/', 'invalid IPv4 address'],
  ['http://0x1.2.3.4.5/', 'invalid IPv4 address'],
  ['http://a b/', 'invalid international domain name'],
  ['http://a<b/', 'invalid international domain name'],
  ['http://xn--/', 'invalid international domain name'],
])('refuses %j: %s', (text, error) => {
  expect(explainHttpUrl(text)).toEqual({
    message: `Input should be a valid URL, ${error}`,
    params: { type: 'url_parsing', ctx: { error } },
  });
});

test.each(['ftp://x', 'mailto:a', 'javascript:alert(1)', 'file:///etc/passwd'])(
  'refuses the scheme of %j',
  (text) => {
    expect(explainHttpUrl(text)?.params).toEqual({
      type: 'url_scheme',
      ctx: { expected_schemes: "'http' or 'https'" },
    });
  },
);
