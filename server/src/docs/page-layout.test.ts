import { expect, it } from 'vitest';
import { layOutPage, type SitePage } from './page-layout.ts';

const assets = { style: '/style.css', script: '/script.js' };

function makePage(name: string, depths: readonly number[] = []): SitePage {
  return {
    file: `docs/${name}.md`,
    address: `/docs/${name}`,
    group: 'Guides',
    markdown: '',
    title: `Page <${name}>`,
    summary: `${name} `.repeat(200),
    html: () => '',
    headings: depths.map((depth, index) => ({ depth, id: `h${index}`, text: `Heading ${index}` })),
    sections: [],
  };
}

const pages = [makePage('a'), makePage('b'), makePage('c')];
const contentsOf = (depths: readonly number[]) =>
  [...layOutPage(makePage('x', depths), pages, assets).matchAll(/<li class="depth-(\d)">/g)].map(
    ([, depth]) => Number(depth),
  );

it('links to the previous and the next page of the navigation', () => {
  const neighbours = (page: SitePage) =>
    [...layOutPage(page, pages, assets).matchAll(/<a rel="(prev|next)" href="([^"]+)"/g)].map(
      ([, rel, href]) => [rel, href],
    );
  expect(neighbours(pages[0]!)).toEqual([['next', '/docs/b']]);
  expect(neighbours(pages[1]!)).toEqual([
    ['prev', '/docs/a'],
    ['next', '/docs/c'],
  ]);
  expect(neighbours(makePage('not-listed'))).toEqual([]);
});

it('marks the current page in the navigation, and escapes titles', () => {
  const html = layOutPage(pages[1]!, pages, assets);
  expect(html).toContain('<li><a href="/docs/b" aria-current="page">Page &lt;b&gt;</a></li>');
  expect(html.match(/aria-current/g)).toHaveLength(2);
  expect(html).toContain('<title>Page &lt;b&gt; · Earshot</title>');
});

it('limits the description to 200 characters', () => {
  const html = layOutPage(pages[0]!, pages, assets);
  expect(/<meta name="description" content="([^"]*)">/.exec(html)?.[1]).toHaveLength(200);
});

it('has a table of contents from three headings of depth two or three', () => {
  expect(contentsOf([1, 2, 3, 4])).toEqual([]);
  expect(contentsOf([1, 2, 3, 4, 2])).toEqual([2, 3, 2]);
});

it('lists only depth two when more than 40 headings would be listed', () => {
  const depths = (count: number) => Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 2 : 3));
  expect(contentsOf(depths(40))).toEqual(depths(40));
  expect(contentsOf(depths(41))).toEqual(new Array(21).fill(2));
});
