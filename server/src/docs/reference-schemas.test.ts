import { expect, it } from 'vitest';
import { nameType, writeSchemas } from './reference-schemas.ts';

it.each([
  [{ $ref: '#/components/schemas/Song' }, '[Song](#schema-Song)'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
  [{ oneOf: [{ type: 'number' }, { $ref: '#/components/schemas/Song' }] }, 'number or [Song](#schema-Song)'],
  [{ enum: ['a', 1] }, '`"a"` or `1`'],
  [{ const: true }, '`true`'],
  [{ type: 'array', items: { type: 'integer' } }, 'array of integer'],
  [{ type: 'array' }, 'array of any'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
  [{}, 'any'],
])('%j is "%s"', (schema, name) => {
  expect(nameType(schema)).toBe(name);
});

it('describes objects as a table and other schemas by their type', () => {
  const text = writeSchemas({
    Song: {
      description: 'A song.',
      properties: { id: { type: 'string', description: 'a | b\nc' }, bpm: { type: 'number' } },
      required: ['id'],
    },
    Id: { type: 'string' },
  });
  expect(text).toContain(
    '### Song <a id="schema-Song"></a>\n\nA song.\n\n| Field | Type | |\n|---|---|---|\n| `id` | string | a \\| b c |\n| `bpm` | number | optional |',
  );
  expect(text).toContain('### Id <a id="schema-Id"></a>\n\nstring.');
});
