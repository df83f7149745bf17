import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './render-markdown.ts';

const render = (text: string, resolve: (href: string) => string | null = (href) => href) =>
  renderMarkdown(text, resolve);
const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

describe('renderMarkdown', () => {
  it('joins adjacent blocks in three languages into tabs, but no separate block', () => {
    const together = [fence('sh', 'curl'), fence('ts', 'fetch()'), fence('python', 'get()')].join('\n\n');
    const html = render(`# Page\n\n${together}\n\nwords\n\n${fence('sh', 'ls')}`).html();
    expect(html.match(/<fieldset/g)).toHaveLength(1);
    expect([...html.matchAll(/<label[^>]*>(\w+)</g)].map(([, name]) => name)).toEqual([
      'curl',
      'TypeScript',
      'Python',
    ]);
    expect(html.match(/ checked/g)).toHaveLength(1);
  });

  it('does not join two blocks in one language, nor a block with its JSON result', () => {
    const html = render([fence('sh', 'one'), fence('sh', 'two'), fence('json', '{}')].join('\n\n')).html();
    expect(html).not.toContain('<fieldset');
  });

  it('gives headings the ids that GitHub gives, numbered when repeated, unless they have their own', () => {
    const { headings } = render('# The `x` field\n\n## Again\n\n## Again\n\n## Ours <a id="own"></a>');
    expect(headings.map(({ id, text }) => [id, text])).toEqual([
      ['the-x-field', 'The x field'],
      ['again', 'Again'],
      ['again-1', 'Again'],
      ['own', 'Ours'],
    ]);
  });

  it('keeps only the text of a link that resolves to nothing', () => {
    expect(render('# P\n\nsee [the file](../x.ts)', () => null).html()).toContain('<p>see the file</p>');
  });

  it('gives title, summary and sections as plain text for the search', () => {
    const { title, summary, sections } = render(
      '# Page\n\nFirst **bold** & `<code>`.\n\n## Table\n\n| a | b |\n|---|---|\n| one | two |\n\n- x\n- y',
    );
    expect([title, summary]).toEqual(['Page', 'First bold & <code>.']);
    expect(sections).toEqual([
      { id: 'page', heading: 'Page', text: 'First bold & <code>.' },
      { id: 'table', heading: 'Table', text: 'a b one two x y' },
    ]);
  });

  it('shows a paragraph with only a route as its address', () => {
    expect(render('`POST /v1/analyses`').html()).toBe(
      '<p class="route"><b class="post">POST</b> <code>/v1/analyses</code></p>\n',
    );
    expect(render('Send `POST /v1/analyses`').html()).toMatch(/^<p>Send <code>/);
  });

  it('leaves out the head of a table whose header is blank', () => {
    const table = (header: string) => render(`| ${header} | |\n|---|---|\n| one | two |`).html();
    const body = '<tbody><tr><td>one</td><td>two</td></tr></tbody></table></div>\n';
    expect(table('')).toBe(`<div class="scroll"><table>${body}`);
    expect(table('a')).toBe(`<div class="scroll"><table><thead><tr><th>a</th><td></td></tr></thead>${body}`);
  });

  it.each([
    ['sh', 'echo "x"', 'string'],
    ['json', '{"a": 1}', 'number'],
    ['python', 'def f(): pass', 'keyword'],
    ['ts', 'const a = b;', 'keyword'],
  ])('marks the parts of code in %s', (language, code, part) => {
    expect(render(fence(language, code)).html()).toContain(`<span class="hljs-${part}">`);
  });

  it('escapes code', () => {
    expect(render(fence('ts', "const a = '<b>';")).html()).toContain('&lt;b&gt;');
    expect(render(fence('unknown', '<b>')).html()).toContain('&lt;b&gt;');
  });

  it('shows entities in code as they are written, and decodes them in text', () => {
    const { html, summary, sections } = render(
      `a &lt; b, \`&lt;b&gt;\`\n\n# Code\n\n${fence('text', 'echo &amp;')}`,
    );
    expect(html()).toContain('<p>a &lt; b, <code>&amp;lt;b&amp;gt;</code></p>');
    expect(html()).toContain('echo &amp;amp;');
    expect(summary).toBe('a < b, &lt;b&gt;');
    expect(sections.map(({ text }) => text)).toEqual(['echo &amp;']);
  });

  it('lets code of more than 24 characters break after its slashes', () => {
    const code = '/v1/a/b?<<<<<<<<<<<<<<<<';
    expect(code).toHaveLength(24);
    expect(render(`\`${code}\``).html()).not.toContain('<wbr>');
    expect(render(`\`${code}<\``).html()).toContain('<code>/<wbr>v1/<wbr>a/<wbr>b?&lt;');
  });
});
