import { readFileSync } from 'node:fs';
import { allOperations, buildOpenApiDocument, CONTRACT_VERSION, type JsonSchema } from '@earshot/contract';
import { describe, expect, it } from 'vitest';

/** docs/result-format.md must name every field of the first level: those of the summary anywhere, those of a group in its table row. */

const page = readFileSync(new URL('../../../docs/result-format.md', import.meta.url), 'utf8');
const document = buildOpenApiDocument(allOperations, CONTRACT_VERSION);
const { schemas } = document.components as { schemas: Record<string, JsonSchema> };

type Fields = Record<string, JsonSchema>;
const fieldsOf = (name: string) => Object.entries((schemas[name]?.properties ?? {}) as Fields);

/** The schema a group refers to, whether it may be null or is a list. */
function schemaNameOf(field: JsonSchema): string | null {
  const choices = (field.anyOf as JsonSchema[] | undefined) ?? [
    (field.items as JsonSchema | undefined) ?? field,
  ];
  const reference = choices.map(({ $ref }) => $ref).find((each) => typeof each === 'string');
  return reference?.split('/').at(-1) ?? null;
}

const groups = fieldsOf('FullResult').flatMap(([name, field]) => {
  const schema = schemaNameOf(field);
  return schema === null ? [] : [[name, schema] as const];
});

describe('docs/result-format.md', () => {
  it('names every field of the summary', () => {
    const missing = fieldsOf('ResultSummary').filter(([name]) => !page.includes(`\`${name}\``));
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('is compared with all groups of the schema', () => {
    const rows = page
      .split('\n| group | holds |')[1]!
      .split('\n\n')[0]!
      .matchAll(/^\| `(\w+)` \|/gm);
    expect(groups.map(([name]) => name).toSorted()).toEqual([...rows].map(([, name]) => name).toSorted());
  });

  it.each(groups)('names every field of %s in its row', (group, schema) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${group}\` |`)) ?? '';
    const missing = fieldsOf(schema).filter(([name]) => !new RegExp(`\`${name}(\\[|\`)`).test(row));
    expect(missing.map(([name]) => name)).toEqual([]);
  });
});
