import { escapeHtml } from '../http/html.ts';
import { truncateText } from '../platform/truncate-text.ts';
import { type SourcePage, twinAddressOf } from './read-pages.ts';
import type { RenderedMarkdown } from './render-markdown.ts';

export type SitePage = SourcePage & RenderedMarkdown;

/** The parts of a page that the layout needs. The 404 page, which is not in the navigation, has only these. */
type ShownPage = Pick<SitePage, 'file' | 'address'> & RenderedMarkdown;

type AssetAddresses = { style: string; script: string };

/** One page of the site: navigation on the left, the text, its headings on the right, links to the previous and next page below. */
export function layOutPage(page: ShownPage, pages: readonly SitePage[], assets: AssetAddresses): string {
  const navigation = showNavigation(page, pages);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.address === '/docs' ? 'Earshot documentation' : `${page.title} · Earshot`)}</title>
<meta name="description" content="${escapeHtml(truncateText(page.summary, DESCRIPTION_CHARACTERS_MAX))}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="${twinAddressOf(page)}">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a class="brand" href="/docs"><img src="/favicon.svg" alt="" width="22" height="22">Earshot <span>docs</span></a>
<button type="button" class="search-open" hidden>Search <kbd>/</kbd></button>
<a href="/docs/reference">API</a><a href="/">Dashboard</a></header>
<details class="menu"><summary>All pages</summary><nav aria-label="All pages">${navigation}</nav></details>
<div class="columns">
<nav class="side" aria-label="Documentation">${navigation}</nav>
<main id="content" tabindex="-1">${page.html()}${showNeighbours(page, pages)}</main>
${showContents(page)}
</div>
<footer><a href="${twinAddressOf(page)}">This page as Markdown</a> <a href="/llms.txt">llms.txt</a>
<a href="/openapi.json">openapi.json</a></footer>
</body>
</html>
`;
}

function showNavigation(page: ShownPage, pages: readonly SitePage[]): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return groups
    .map((group) => {
      const links = pages
        .filter((each) => each.group === group)
        .map(({ address, title }) => {
          const current = address === page.address ? ' aria-current="page"' : '';
          return `<li><a href="${address}"${current}>${escapeHtml(title)}</a></li>`;
        });
      return `<p>${escapeHtml(group)}</p><ul>${links.join('')}</ul>`;
    })
    .join('');
}

/** Search engines show less than this. */
const DESCRIPTION_CHARACTERS_MAX = 200;

/** Two headings need no table of contents. With very many, as in the reference, only those of the second level are listed. */
const CONTENTS_MIN = 3;
const CONTENTS_MAX = 40;

function showContents({ headings }: ShownPage): string {
  const parts = headings.filter(({ depth }) => depth === 2);
  const details = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const shown = details.length > CONTENTS_MAX ? parts : details;
  if (shown.length < CONTENTS_MIN) return '';
  const links = shown.map(
    ({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`;
}

function showNeighbours({ address }: ShownPage, pages: readonly SitePage[]): string {
  const index = pages.findIndex((each) => each.address === address);
  if (index < 0) return '';
  const links = [
    ['prev', 'Previous', pages[index - 1]],
    ['next', 'Next', pages[index + 1]],
  ] as const;
  const shown = links.map(([rel, word, other]) =>
    other
      ? `<a rel="${rel}" href="${other.address}"><small>${word}</small>${escapeHtml(other.title)}</a>`
      : '',
  );
  return `<nav class="neighbours" aria-label="Neighbouring pages">${shown.join('')}</nav>`;
}
