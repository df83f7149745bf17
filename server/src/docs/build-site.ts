import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { JsonSchema, Operation } from '@earshot/contract';
import { once } from '../platform/once.ts';
import { SERVER_ROOT } from '../platform/server-root.ts';
import { buildLlmsFullText, buildLlmsText } from './llms-text.ts';
import { layOutPage, type SitePage } from './page-layout.ts';
import {
  HOME,
  REFERENCE,
  readPages,
  readPictures,
  resolveLink,
  resolveTwinLink,
  type SourcePage,
  twinAddressOf,
} from './read-pages.ts';
import { writeReference, writeRouteList } from './reference.ts';
import { renderMarkdown } from './render-markdown.ts';

export type SiteFile = {
  /** Rendered on first use, so that a request for one page does not wait for all. */
  body: () => string | Buffer;
  contentType: string;
  /** True when the address contains a hash of the content. */
  immutable: boolean;
};

type SiteOptions = {
  /** Replaces localhost in the examples. */
  baseUrl: string;
  operations: readonly Operation[];
  document: JsonSchema;
};

/** The whole site by address: pages, their Markdown, pictures, the search index, and the texts for language models. */
export function buildSite(options: SiteOptions): Map<string, SiteFile> {
  const { baseUrl, operations, document } = options;
  const files = new Map<string, SiteFile>();
  const add: AddFile = (address, contentType, make, immutable = false) =>
    files.set(address, { body: once(make), contentType, immutable });

  const styles = ['frame.css', 'text.css', 'search.css'].map(readAsset).join('\n');
  const style = addAsset(add, 'site.css', 'text/css; charset=utf-8', styles);
  const search = addAsset(add, 'search.js', SCRIPT, readAsset('search.js'));
  const script = addAsset(add, 'site.js', SCRIPT, readAsset('site.js').replace('./search.js', search));

  const generated = new Map([[REFERENCE, writeReference(operations, document)]]);
  const sources = readPages(generated).map((page) => ({
    ...page,
    markdown: (page.file === HOME ? page.markdown + writeRouteList(operations) : page.markdown).replaceAll(
      'http://localhost:8080',
      baseUrl,
    ),
  }));
  const pages: SitePage[] = sources.map((page) => ({
    ...page,
    ...renderMarkdown(page.markdown, (href) => resolveLink(page.file, href, sources)),
  }));
  const twinOf = (page: SourcePage) => relinkTwin(page, sources);
  for (const page of pages) {
    add(page.address, 'text/html; charset=utf-8', () => layOutPage(page, pages, { style, script }));
    add(twinAddressOf(page), 'text/markdown; charset=utf-8', () => twinOf(page));
  }
  const notFound = { file: HOME, address: NOT_FOUND, ...renderMarkdown(NOT_FOUND_TEXT, (href) => href) };
  add(NOT_FOUND, 'text/html; charset=utf-8', () => layOutPage(notFound, pages, { style, script }));
  for (const [address, picture] of readPictures()) add(address, pictureType(address), () => picture);
  add('/docs/search.json', 'application/json; charset=utf-8', () =>
    JSON.stringify(pages.flatMap(searchEntries)),
  );
  add('/llms.txt', TEXT, () => buildLlmsText(pages, operations, baseUrl));
  add('/llms-full.txt', TEXT, () =>
    buildLlmsFullText(
      pages.map((page) => ({ ...page, markdown: twinOf(page) })),
      baseUrl,
    ),
  );
  return files;
}

/** The page for unknown addresses. */
export const NOT_FOUND = '/docs/404';
const NOT_FOUND_TEXT =
  '# There is no such page\n\nIt may have moved. Press `/` to search, or begin at [the first page](/docs).';

type AddFile = (
  address: string,
  contentType: string,
  make: () => string | Buffer,
  immutable?: boolean,
) => void;

const SCRIPT = 'text/javascript; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

function readAsset(name: string): string {
  return readFileSync(join(SERVER_ROOT, 'docs-assets', name), 'utf8');
}

/** Puts a hash of the content into the address, so that browsers may cache the file for ever. */
function addAsset(add: AddFile, name: string, contentType: string, body: string): string {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 10);
  const address = `/docs/assets/${name.replace(extname(name), `-${hash}${extname(name)}`)}`;
  add(address, contentType, () => body, true);
  return address;
}

function pictureType(address: string): string {
  return address.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
}

/** Links lead to the Markdown of other pages. Of those to files that the site does not serve, only the text is kept. */
function relinkTwin(page: SourcePage, pages: readonly SourcePage[]): string {
  return page.markdown.replaceAll(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (_link, text: string, href: string) => {
    const target = resolveTwinLink(page, href, pages);
    return target === null ? text : `[${text}](${target})`;
  });
}

/** In the form that docs-assets/search.js reads. Without the route list of the first page, which the reference repeats. */
function searchEntries(page: SitePage): { address: string; page: string; heading: string; text: string }[] {
  const sections = page.file === HOME ? page.sections.slice(0, 1) : page.sections;
  return sections.map(({ id, heading, text }, index) => ({
    address: index === 0 ? page.address : `${page.address}#${id}`,
    page: page.title,
    heading,
    text,
  }));
}
