import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { SERVER_ROOT } from '../platform/server-root.ts';

/** The root of the checkout: the pages are in its folder docs/, the changelog next to that. */
const CHECKOUT = join(SERVER_ROOT, '..');

export const HOME = 'docs/README.md';
export const REFERENCE = 'docs/reference.md';
const CHANGELOG = 'CHANGELOG.md';

/** The order of the navigation. Pages in docs/ that are not listed here go into the last group. */
const GROUPS: readonly { name: string; files: readonly string[] }[] = [
  { name: 'Start', files: [HOME, 'docs/quickstart.md'] },
  {
    name: 'Guides',
    files: [
      'docs/guides/uploads.md',
      'docs/guides/results.md',
      'docs/guides/webhooks.md',
      'docs/guides/idempotency.md',
      'docs/guides/handling-errors.md',
      'docs/guides/limits.md',
      'docs/guides/billing.md',
      'docs/guides/batch.md',
      'docs/guides/library.md',
      'docs/guides/demo.md',
      'docs/guides/your-data.md',
      'docs/guides/exports.md',
      'docs/guides/from-spotify.md',
    ],
  },
  {
    name: 'Tools',
    files: ['docs/guides/dashboard.md', 'docs/guides/sdks.md', 'docs/guides/cli.md', 'docs/guides/mcp.md'],
  },
  {
    name: 'Reference',
    files: [
      REFERENCE,
      'docs/result-format.md',
      'docs/errors.md',
      'docs/webhook-events.md',
      'docs/formats-supported.md',
      'docs/glossary.md',
      CHANGELOG,
    ],
  },
  { name: 'How good it is', files: ['docs/accuracy.md', 'docs/algorithms.md', 'docs/benchmarks.md'] },
  {
    name: 'Run it yourself',
    files: [
      'docs/guides/self-hosting.md',
      'docs/operations.md',
      'docs/scaling.md',
      'docs/reliability.md',
      'docs/licences.md',
    ],
  },
  {
    name: 'How it is tested',
    files: [
      'docs/interface-walk.md',
      'docs/contract-walk.md',
      'docs/library-walk.md',
      'docs/interface-fuzzing.md',
      'docs/mutation.md',
    ],
  },
];
const LAST_GROUP = 'Decisions';

/** `file` is the path in the checkout, with forward slashes; `address` is the URL path of the page, without a trailing slash. */
export type SourcePage = { file: string; address: string; group: string; markdown: string };

/** All pages of the checkout, and those in `generated`, in the order of the navigation. */
export function readPages(generated: ReadonlyMap<string, string>): SourcePage[] {
  const named = GROUPS.flatMap(({ name, files }) => files.map((file) => ({ group: name, file })));
  const known = new Set(named.map(({ file }) => file));
  const rest = findMarkdown()
    .filter((file) => !known.has(file))
    .map((file) => ({ group: LAST_GROUP, file }));
  return [...named, ...rest].flatMap(({ group, file }) => {
    const markdown = generated.get(file) ?? readText(join(CHECKOUT, file));
    return markdown === null ? [] : [{ file, group, address: addressOf(file), markdown }];
  });
}

/** docs/guides/uploads.md is /docs/guides/uploads; the changelog is not in docs/. */
function addressOf(file: string): string {
  if (file === HOME) return '/docs';
  if (file === CHANGELOG) return '/docs/changelog';
  return `/${file.replace(/\.md$/, '')}`;
}

/** The URL path of a page's Markdown. */
export function twinAddressOf({ file, address }: Pick<SourcePage, 'file' | 'address'>): string {
  return file === HOME ? `/${HOME}` : `${address}.md`;
}

/** Pictures of the pages, by address. */
export function readPictures(): Map<string, Buffer> {
  const folder = join(CHECKOUT, 'docs', 'images');
  if (!existsSync(folder)) return new Map();
  return new Map(
    readdirSync(folder)
      .filter((name) => /\.(png|svg)$/.test(name))
      .map((name) => [`/docs/images/${name}`, readFileSync(join(folder, name))]),
  );
}

/** The address on the site that a link in `file` leads to; null for a file that is not served. */
export function resolveLink(file: string, href: string, pages: readonly SourcePage[]): string | null {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(file), decodeURIComponent(path)));
  const page = pages.find((each) => each.file === target);
  if (page) return anchor ? `${page.address}#${anchor}` : page.address;
  return target.startsWith('docs/images/') ? `/${target}` : null;
}

/**
 * The same for the Markdown of `page`, whose links lead to the Markdown of other pages. They are relative, and as in the checkout but
 * for those of the changelog, which is in another folder there.
 */
export function resolveTwinLink(page: SourcePage, href: string, pages: readonly SourcePage[]): string | null {
  const resolved = resolveLink(page.file, href, pages);
  if (resolved === null || resolved === href) return resolved;
  const [address = '', anchor] = resolved.split('#');
  const target = pages.find((each) => each.address === address);
  const path = posix.relative(posix.dirname(twinAddressOf(page)), target ? twinAddressOf(target) : address);
  return anchor ? `${path}#${anchor}` : path;
}

function findMarkdown(): string[] {
  const folder = join(CHECKOUT, 'docs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(CHECKOUT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
