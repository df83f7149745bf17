import { allOperations, type Operation } from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import { buildLlmsFullText, buildLlmsText } from './llms-text.ts';

const page = (title: string, group: string, summary: string) => ({
  title,
  group,
  summary,
  file: `docs/${title}.md`,
  address: `/docs/${title}`,
  markdown: `# ${title}\n\n`,
});

it('lists the pages by group, with summaries cut at a word to 160 characters', () => {
  const words = 'word '.repeat(40).trim();
  const pages = [
    page('a', 'Start', 'Short.'),
    page('b', 'Guides', words),
    page('c', 'Start', 'x'.repeat(160)),
  ];
  const text = buildLlmsText(pages, allOperations, 'https://e.test');
  // 32 words of four letters are 159 characters; a space at 160 ends the last of them.
  const shortened = `${'word '.repeat(32).trim()} …`;
  expect(text).toContain(
    `## Start\n\n- [a](https://e.test/docs/a.md): Short.\n- [c](https://e.test/docs/c.md): ${'x'.repeat(160)}\n\n` +
      `## Guides\n\n- [b](https://e.test/docs/b.md): ${shortened}\n`,
  );
});

it('cuts a summary without a space to 160 characters', () => {
  const text = buildLlmsText([page('a', 'Start', 'x'.repeat(161))], allOperations, 'https://e.test');
  expect(text).toContain(`(https://e.test/docs/a.md): ${'x'.repeat(160)} …\n`);
});

describe('the rules of the introduction', () => {
  const text = buildLlmsText([], allOperations, 'https://e.test');

  it('mark exactly the routes that take an Idempotency-Key', () => {
    expect(text).toContain('Send `Idempotency-Key` to the routes marked with it below');
    const marked = text
      .split('\n')
      .filter((line) => line.startsWith('- `') && line.endsWith(' (`Idempotency-Key`)'));
    const lineOf = ({ method, path, summary }: Operation) => `- \`${method} ${path}\`: ${summary}`;
    const taking = allOperations.filter((operation) => (operation as Operation).idempotent);
    expect(marked).toEqual(taking.map((operation) => `${lineOf(operation)} (\`Idempotency-Key\`)`));
    for (const operation of allOperations) expect(text).toContain(lineOf(operation));
  });

  it('hold for every list: its pages, and the header with the next one', () => {
    expect(text).toContain(
      '`?limit=` up to 100 (songs: 200); for the next page, request the address in the `Link` header',
    );
    const lists = allOperations.filter((operation: Operation) => operation.query?.shape.after);
    expect(lists.length).toBeGreaterThan(10);
    for (const { id, path, query, responses } of lists as Operation[]) {
      const largest = path === '/v1/analyses' ? 200 : 100;
      expect([id, query!.safeParse({ limit: `${largest}` }).success]).toEqual([id, true]);
      expect([id, query!.safeParse({ limit: `${largest + 1}` }).success]).toEqual([id, false]);
      expect([id, responses[200]?.headers?.Link]).toEqual([id, 'The next page, rel="next"']);
    }
  });
});

it('joins all pages, each after its address', () => {
  expect(buildLlmsFullText([page('a', 'Start', ''), page('b', 'Start', '')], 'https://e.test')).toBe(
    '<!-- https://e.test/docs/a.md -->\n\n# a\n\n<!-- https://e.test/docs/b.md -->\n\n# b\n',
  );
});
