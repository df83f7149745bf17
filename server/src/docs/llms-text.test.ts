import { allOperations } from '@earshot/contract';
import { expect, it } from 'vitest';
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
  for (const { method, path, summary } of allOperations)
    expect(text).toContain(`- \`${method} ${path}\`: ${summary}`);
});

it('joins all pages, each after its address', () => {
  expect(buildLlmsFullText([page('a', 'Start', ''), page('b', 'Start', '')], 'https://e.test')).toBe(
    '<!-- https://e.test/docs/a.md -->\n\n# a\n\n<!-- https://e.test/docs/b.md -->\n\n# b\n',
  );
});
