import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix, relative, sep } from 'node:path';
import { SERVER_ROOT } from '../platform/server-root.ts';

/** The root of the checkout: the pages are in docs/, and the change log beside it. */
const CHECKOUT = join(SERVER_ROOT, '..');

export const HOME = 'docs/README.md';
export const REFERENCE = 'docs/reference.md';
const CHANGELOG = 'CHANGELOG.md';

/** The order of the navigation. Other pages in docs/ are put at the end, so that none is ever left out. */
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
];
const LAST_GROUP = 'Decisions';

/** `file` is the path in the checkout, with forward slashes; `address` is the URL path of the page, without a trailing slash. */
export type SourcePage = { file: string; address: string; group: string; markdown: string };

/** Every page that has a file, and those in `generated`, in the order of the navigation. */
export function readPages(generated: ReadonlyMap<string, string>, checkout = CHECKOUT): SourcePage[] {
  const named = GROUPS.flatMap(({ name, files }) => files.map((file) => ({ group: name, file })));
  const known = new Set(named.map(({ file }) => file));
  const rest = findMarkdown(checkout)
    .filter((file) => !known.has(file))
    .map((file) => ({ group: LAST_GROUP, file }));
  return [...named, ...rest].flatMap(({ group, file }) => {
    const markdown = generated.get(file) ?? readText(join(checkout, file));
    return markdown === null ? [] : [{ file, group, address: addressOf(file), markdown }];
  });
}

/** docs/guides/uploads.md is /docs/guides/uploads; the change log lies outside of docs/. */
function addressOf(file: string): string {
  if (file === HOME) return '/docs';
  if (file === CHANGELOG) return '/docs/changelog';
  return `/${file.replace(/\.md$/, '')}`;
}

/** The URL path of the Markdown of a page, chosen so that relative links between such files work as in the checkout. */
export function twinAddressOf({ file, address }: Pick<SourcePage, 'file' | 'address'>): string {
  return file === HOME ? `/${HOME}` : `${address}.md`;
}

/** Pictures of the pages, by address. */
export function readPictures(checkout = CHECKOUT): Map<string, Buffer> {
  const folder = join(checkout, 'docs', 'images');
  if (!existsSync(folder)) return new Map();
  return new Map(
    readdirSync(folder)
      .filter((name) => /\.(png|svg)$/.test(name))
      .map((name) => [`/docs/images/${basename(name)}`, readFileSync(join(folder, name))]),
  );
}

/** The target on the site of a link in `file`; null for a file that is not served. */
export function resolveLink(file: string, href: string, pages: readonly SourcePage[]): string | null {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.normalize(posix.join(posix.dirname(file), decodeURIComponent(path)));
  const page = pages.find((each) => each.file === target);
  if (page) return anchor ? `${page.address}#${anchor}` : page.address;
  return target.startsWith('docs/images/') ? `/${target}` : null;
}

function findMarkdown(checkout: string): string[] {
  const folder = join(checkout, 'docs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(checkout, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
