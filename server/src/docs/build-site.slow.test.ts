import { allOperations, buildOpenApiDocument, CONTRACT_VERSION } from '@earshot/contract';
import { Marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { createSearch } from '../../docs-assets/search.js';
import { buildSite, NOT_FOUND } from './build-site.ts';

const baseUrl = 'https://earshot.example.com';
const document = buildOpenApiDocument(allOperations, CONTRACT_VERSION);
const site = buildSite({ baseUrl, operations: allOperations, document });
const pages = [...site].filter(([, { contentType }]) => contentType.startsWith('text/html'));
const textOf = (address: string) => String(site.get(address)?.body());
const twinOf = (address: string) =>
  /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(textOf(address))?.[1] ?? '';
const pageOfTwin = new Map(
  pages.flatMap(([address]) => (address === NOT_FOUND ? [] : [[twinOf(address), address]])),
);
const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

/** Routes of the service that pages may link to. */
const ROUTES = new Set(['/', '/favicon.svg', ...allOperations.map(({ path }) => path)]);

describe('links of the site', () => {
  it.each(pages.map(([address]) => address))('%s has no broken link', (address) => {
    const html = textOf(address);
    const broken = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)]
      .map(([, target = '']) => target.replaceAll('&amp;', '&'))
      .filter((target) => !isServed(target, address));
    expect(broken).toEqual([]);
  });

  it.each([...pageOfTwin.keys()])('%s has no broken link', (address) => {
    expect(linksOf(textOf(address)).filter((target) => !isServed(target, address))).toEqual([]);
  });

  it('recognises a broken link', () => {
    expect(linksOf('[a](b.md) ![c](d.png) `[e](f.md)`')).toEqual(['b.md', 'd.png']);
    expect(isServed('uploads.md#nothing', '/docs/guides/limits.md')).toBe(false);
    expect(isServed('/docs/nothing', '/docs')).toBe(false);
    expect(isServed('/docs/errors#nothing', '/docs')).toBe(false);
    expect(isServed('#nothing', '/docs')).toBe(false);
  });

  it('has no id twice on a page', () => {
    for (const [address] of pages) {
      const ids = [...textOf(address).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect([address, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([address, []]);
    }
  });
});

function isServed(target: string, from: string): boolean {
  if (/^https?:/.test(target) && !target.startsWith(baseUrl)) return true;
  const url = new URL(target, `${baseUrl}${from}`);
  const path = url.pathname;
  if (!site.has(path)) return ROUTES.has(path) && url.hash === '';
  return (
    url.hash === '' || idsOf(textOf(pageOfTwin.get(path) ?? path)).has(decodeURIComponent(url.hash.slice(1)))
  );
}

function linksOf(markdown: string): string[] {
  const marked = new Marked();
  const links: string[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(token.href);
  });
  return links;
}

describe('pages', () => {
  it('are each once in the navigation', () => {
    const side = /<nav class="side"[\s\S]*?<\/nav>/.exec(textOf('/docs'))?.[0] ?? '';
    const listed = [...side.matchAll(/href="([^"]+)"/g)].map(([, address]) => address);
    const addresses = pages.map(([address]) => address).filter((address) => address !== NOT_FOUND);
    expect(listed.toSorted()).toEqual(addresses.toSorted());
  });

  it('load nothing from other origins and have no inline scripts or styles', () => {
    for (const [address] of pages) {
      const loaded = textOf(address).match(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\/[^>]*>/g);
      expect([address, loaded]).toEqual([address, null]);
      expect(textOf(address)).not.toMatch(/<style|style="|<script(?![^>]* src=)| on[a-z]+="/);
    }
  });

  it('name every route on the first one, and describe each in the reference', () => {
    for (const { id, method, path } of allOperations) {
      expect(textOf('/docs').replaceAll('<wbr>', '')).toContain(
        `<a href="/docs/reference#${id}"><code>${method} ${path}</code></a>`,
      );
      expect(textOf('/docs/reference')).toContain(`id="${id}"`);
    }
  });

  it('name the base URL of the service instead of localhost', () => {
    for (const [address, { contentType }] of site) {
      if (contentType.startsWith('text/')) expect(textOf(address)).not.toContain('http://localhost:8080');
    }
    expect(textOf('/docs/quickstart.md')).toContain(`It listens on <${baseUrl}>.`);
  });

  it('each have a Markdown version, listed in llms.txt and contained in llms-full.txt', () => {
    const [list, full] = [textOf('/llms.txt'), textOf('/llms-full.txt')];
    for (const [address] of pages) {
      const twin = twinOf(address);
      expect(site.get(twin)?.contentType).toBe('text/markdown; charset=utf-8');
      expect(list).toContain(`(${baseUrl}${twin})`);
      expect(full).toContain(`<!-- ${baseUrl}${twin} -->`);
    }
  });

  it.each([
    ['a link to another page', 'self-hosting', ':\n[operations](../operations.md).\n'],
    ['only the text of a link to a file that is not served', 'self-hosting', '\nit. .env.example lists and'],
    [
      'a picture',
      'dashboard',
      '![The library: a table with waveform, title, tempo, key, energy](../images/library.png)',
    ],
  ])('have in their Markdown %s, as has llms-full.txt', (_, page, text) => {
    expect(textOf(`/docs/guides/${page}.md`)).toContain(text);
    expect(textOf('/llms-full.txt')).toContain(text);
  });
});

describe('search', () => {
  const search = createSearch(JSON.parse(textOf('/docs/search.json')));

  it.each([
    ['idempotency', '/docs/guides/idempotency'],
    ['quickst', '/docs/quickstart'],
    ['rotate secret', '/docs/reference#rotateWebhookSecret'],
    ['octave error', '/docs/glossary'],
  ])('finds %s', (query, address) => {
    expect(search(query).map((found) => found.address)).toContain(address);
  });

  it('puts the page whose title matches first', () => {
    expect(search('webhooks')[0]?.address).toBe('/docs/guides/webhooks');
    expect(search('errors')[0]?.address).toBe('/docs/errors');
  });
});
