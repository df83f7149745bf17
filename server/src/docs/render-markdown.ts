import { Marked, type RendererObject, type RendererThis, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../http/html.ts';
import { highlightCode } from './highlight-code.ts';

export type Heading = { depth: number; id: string; text: string };

/** The plain text under one heading, for the search. */
export type Section = { id: string; heading: string; text: string };

export type RenderedMarkdown = {
  title: string;
  /** The first paragraph, as plain text. */
  summary: string;
  html: () => string;
  headings: Heading[];
  sections: Section[];
};

/** `resolveLink` maps a link to its address on the site; null for a target that the site does not serve. */
export function renderMarkdown(
  markdown: string,
  resolveLink: (href: string) => string | null,
): RenderedMarkdown {
  const marked = new Marked({ gfm: true });
  const tokens = joinLanguages(marked.lexer(markdown));
  const headings = nameHeadings(tokens);
  marked.use({ extensions: [tabs], renderer: createRenderer(headings, resolveLink) });
  return {
    title: headings.get(tokens.find(isHeading) as Tokens.Heading)?.text ?? 'Earshot',
    summary: plainText(tokens.find(({ type }) => type === 'paragraph')),
    html: () => marked.parser(tokens),
    headings: [...headings.values()],
    sections: collectSections(tokens, headings),
  };
}

/** The languages whose blocks become tabs, and the labels of the tabs. */
const LANGUAGES: Record<string, string> = { sh: 'curl', ts: 'TypeScript', python: 'Python' };

type Tabs = Tokens.Generic & { type: 'tabs'; blocks: Tokens.Code[] };

/** Adjacent code blocks, each in another language, are one example: they become tabs. */
function joinLanguages(tokens: Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (token.type === 'space' && (isCode(last) || isTabs(last))) continue;
    const previous = isCode(last) ? [last] : isTabs(last) ? last.blocks : [];
    if (isCode(token) && previous.length > 0 && !previous.some(({ lang }) => lang === token.lang)) {
      joined[joined.length - 1] = { type: 'tabs', raw: '', blocks: [...previous, token] } satisfies Tabs;
    } else joined.push(token);
  }
  return joined;
}

function isCode(token: Token | undefined): token is Tokens.Code {
  return token?.type === 'code' && Object.hasOwn(LANGUAGES, (token as Tokens.Code).lang ?? '');
}

function isTabs(token: Token | undefined): token is Tabs {
  return token?.type === 'tabs';
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

/** Tabs are radio buttons, which work with the keyboard and without a script. The script only keeps the choice between pages. */
const tabs = {
  name: 'tabs',
  renderer(this: RendererThis, token: Tokens.Generic): string {
    const { blocks } = token as Tabs;
    const name = `tabs-${hashText(blocks.map(({ text }) => text).join())}`;
    const choices = blocks.map(({ lang = '' }, index) => {
      const id = `${name}-${lang}`;
      return `<input type="radio" name="${name}" id="${id}" value="${lang}"${index === 0 ? ' checked' : ''}><label for="${id}">${LANGUAGES[lang]}</label>`;
    });
    return `<fieldset class="tabs"><legend>Language</legend>${choices.join('')}<div class="panels">${blocks.map(showCode).join('')}</div></fieldset>\n`;
  },
};

function hashText(text: string): string {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) >>> 0;
  return hash.toString(36);
}

function showCode({ text, lang = '' }: Tokens.Code): string {
  const language = lang.split(' ')[0] ?? '';
  return `<div class="code"><pre><code class="language-${escapeHtml(language)}">${highlightCode(text, language)}</code></pre></div>\n`;
}

/** Fits a table column on a phone. */
const UNBROKEN_CHARACTERS_MAX = 24;

function createRenderer(
  headings: Map<Tokens.Heading, Heading>,
  resolveLink: (href: string) => string | null,
): RendererObject<string, string> {
  return {
    heading(token) {
      const { depth, id = '' } = headings.get(token) ?? { depth: token.depth };
      const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
      const inner = this.parser.parseInline(token.tokens.filter(({ type }) => type !== 'html'));
      return `<h${depth} id="${id}">${inner.trim()}${depth === 1 ? '' : anchor}</h${depth}>\n`;
    },
    code: showCode,
    /** A long path may break after its slashes; otherwise it would make a table too wide. */
    codespan({ text }) {
      const code = escapeHtml(text);
      return `<code>${text.length > UNBROKEN_CHARACTERS_MAX ? code.replaceAll(/\/(?=\w)/g, '/<wbr>') : code}</code>`;
    },
    /** A paragraph with only `POST /v1/analyses` is shown as the address of a route. */
    paragraph(token) {
      const route = /^`(GET|POST|PUT|PATCH|DELETE) (\S+)`$/.exec(token.text);
      if (!route) return `<p>${this.parser.parseInline(token.tokens)}</p>\n`;
      const [, method = '', path = ''] = route;
      return `<p class="route"><b class="${method.toLowerCase()}">${method}</b> <code>${escapeHtml(path)}</code></p>\n`;
    },
    table(token) {
      const cell = (tag: string, { tokens }: Tokens.TableCell) =>
        tokens.length === 0 ? '<td></td>' : `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
      const blank = token.header.every(({ text }) => text === '');
      const head = `<thead><tr>${token.header.map((each) => cell('th', each)).join('')}</tr></thead>`;
      const rows = token.rows.map((row) => `<tr>${row.map((each) => cell('td', each)).join('')}</tr>`);
      return `<div class="scroll"><table>${blank ? '' : head}<tbody>${rows.join('')}</tbody></table></div>\n`;
    },
    link(token) {
      const text = this.parser.parseInline(token.tokens);
      const href = resolveLink(token.href);
      return href === null ? text : `<a href="${escapeHtml(href)}">${text}</a>`;
    },
    image({ href, text }) {
      return `<img src="${escapeHtml(resolveLink(href) ?? href)}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
  };
}

/** The ids that GitHub gives, so that links to headings work in both places. An `<a id="x"></a>` in the heading takes precedence. */
function nameHeadings(tokens: readonly Token[]): Map<Tokens.Heading, Heading> {
  const taken = new Map<string, number>();
  const named = new Map<Tokens.Heading, Heading>();
  for (const token of tokens.filter(isHeading)) {
    const text = plainText(token);
    const explicit = /<a id="([^"]+)">/.exec(token.raw)?.[1];
    const id = explicit ?? anchorOf(text);
    const count = taken.get(id) ?? 0;
    taken.set(id, count + 1);
    named.set(token, { depth: token.depth, id: count === 0 ? id : `${id}-${count}`, text });
  }
  return named;
}

function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

function collectSections(tokens: readonly Token[], headings: Map<Tokens.Heading, Heading>): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    const heading = isHeading(token) ? headings.get(token) : undefined;
    if (heading) sections.push({ id: heading.id, heading: heading.text, text: '' });
    else {
      const section = sections.at(-1);
      if (section) section.text = `${section.text} ${plainText(token)}`.trim();
    }
  }
  return sections;
}

/** The text without markup. */
function plainText(token: Token | undefined): string {
  if (!token || token.type === 'html') return '';
  if (isTabs(token)) return token.blocks.map(({ text }) => text).join(' ');
  const { tokens, items, header, rows } = token as Tokens.Generic & {
    items?: Token[];
    header?: Tokens.TableCell[];
    rows?: Tokens.TableCell[][];
  };
  const inside = tokens ?? items ?? (header && rows ? [header, ...rows].flat().flatMap(spaced) : null);
  if (inside) return joinText(inside, token.type);
  if (token.type === 'br') return ' ';
  if (!('text' in token)) return '';
  return token.type === 'text' ? decodeEntities(token.text) : String(token.text);
}

function spaced(cell: Tokens.TableCell): Token[] {
  return [...cell.tokens, { type: 'text', raw: ' ', text: ' ' } as Tokens.Text];
}

function joinText(tokens: readonly Token[], type: string): string {
  const inline = type !== 'list' && type !== 'list_item' && type !== 'blockquote';
  return tokens
    .map(plainText)
    .join(inline ? '' : ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** In code, entities mean themselves. */
function decodeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
