import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { escapeHtml, htmlPage } from './html.ts';

it('escapes every character that could begin a tag or end a quoted attribute', () => {
  expect(escapeHtml(`<b title="it's">R&B &amp;</b>`)).toBe(
    '&lt;b title=&quot;it&#39;s&quot;&gt;R&amp;B &amp;amp;&lt;/b&gt;',
  );
});

it('escapes the title and not the body', () => {
  const page = htmlPage({ title: '<Plan>', body: '<p>hello</p>' });
  expect(page).toContain('<title>&lt;Plan&gt; · Earshot</title>');
  expect(page).toContain('<h1>&lt;Plan&gt;</h1>\n<p>hello</p>');
});

it('uses only the colours of the dashboard', async () => {
  const tokens = await readFile(new URL('../../../dashboard/src/design/tokens.css', import.meta.url), 'utf8');
  const coloursIn = (text: string) =>
    new Set([...text.matchAll(/#[0-9a-f]{3,8}\b/g)].map(([colour]) => colour.replace(/^#fff$/, '#ffffff')));
  const used = coloursIn(/<style>(.*)<\/style>/s.exec(htmlPage({ title: '', body: '' }))![1]!);
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((colour) => !coloursIn(tokens).has(colour))).toEqual([]);
});
