import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HOME, readPages, resolveLink, resolveTwinLink, twinAddressOf } from './read-pages.ts';

const pages = readPages(new Map([['docs/reference.md', '# Made']]));

describe('readPages', () => {
  it('puts the first page at /docs, the changelog below it, and takes generated pages', () => {
    const addressOf = (file: string) => pages.find((page) => page.file === file)?.address;
    expect([HOME, 'CHANGELOG.md', 'docs/guides/uploads.md'].map(addressOf)).toEqual([
      '/docs',
      '/docs/changelog',
      '/docs/guides/uploads',
    ]);
    expect(pages.find(({ address }) => address === '/docs/reference')?.markdown).toBe('# Made');
  });

  it('begins with the first page and ends with the decisions, which are the only pages that no group names', () => {
    expect(pages[0]?.file).toBe(HOME);
    const folder = new URL('../../../docs/adr/', import.meta.url);
    const decisions = readdirSync(folder).map((name) => `docs/adr/${name}`);
    expect(pages.filter(({ group }) => group === 'Decisions').map(({ file }) => file)).toEqual(
      decisions.toSorted(),
    );
    expect(pages.at(-1)?.group).toBe('Decisions');
  });
});

it.each([
  ['docs/README.md', '/docs/README.md'],
  ['docs/guides/uploads.md', '/docs/guides/uploads.md'],
  ['CHANGELOG.md', '/docs/changelog.md'],
])('the Markdown of %s is at %s', (file, address) => {
  expect(twinAddressOf(pages.find((page) => page.file === file)!)).toBe(address);
});

it.each([
  ['webhooks.md', '/docs/guides/webhooks'],
  ['webhooks.md#retries', '/docs/guides/webhooks#retries'],
  ['../errors.md', '/docs/errors'],
  ['../../CHANGELOG.md', '/docs/changelog'],
  ['../images/a.png', '/docs/images/a.png'],
  ['../../server/src/main.ts', null],
  ['#here', '#here'],
  ['/openapi.json', '/openapi.json'],
  ['https://example.com/x.md', 'https://example.com/x.md'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
])('a link in docs/guides/uploads.md to %s leads to %s', (href, address) => {
  expect(resolveLink('docs/guides/uploads.md', href, pages)).toBe(address);
});

it.each([
  ['docs/guides/uploads.md', 'webhooks.md#retries', 'webhooks.md#retries'],
  ['docs/guides/uploads.md', '../README.md', '../README.md'],
  ['docs/guides/uploads.md', '../../CHANGELOG.md', '../changelog.md'],
  ['docs/guides/uploads.md', '../images/a.png', '../images/a.png'],
  ['docs/guides/uploads.md', '../../server/src/main.ts', null],
  ['CHANGELOG.md', 'docs/guides/uploads.md#limits', 'guides/uploads.md#limits'],
  ['CHANGELOG.md', 'docs/images/a.png', 'images/a.png'],
  ['CHANGELOG.md', '#here', '#here'],
  ['CHANGELOG.md', '/openapi.json', '/openapi.json'],
])('in the Markdown of %s, a link to %s is %s', (file, href, link) => {
  expect(resolveTwinLink(pages.find((page) => page.file === file)!, href, pages)).toBe(link);
});
