import { expect, it } from 'vitest';
import { z } from 'zod';
import { createSchemaComponents } from './schema-components.ts';

it('a named schema is a reference to its component, also inside another', () => {
  const components = createSchemaComponents();
  const song = z.object({ bpm: z.number() }).meta({ id: 'Song' });
  const reference = { $ref: '#/components/schemas/Song' };
  expect(components.convert(song)).toEqual(reference);
  expect(components.convert(z.array(song))).toEqual({ type: 'array', items: reference });
  const own = { type: 'object', properties: { bpm: { type: 'number' } }, required: ['bpm'] };
  expect(components.inline(song)).toEqual(own);
  expect(components.inline(z.object({ bpm: z.number() }))).toEqual(own);
  expect(components.all()).toEqual({ Song: own });
});

it('two different schemas with one name are an error', () => {
  const components = createSchemaComponents();
  components.convert(z.string().meta({ id: 'Name' }));
  expect(() => components.convert(z.number().meta({ id: 'Name' }))).toThrow('called Name');
});

it('keywords without information are dropped, and data keeps its `id`', () => {
  const components = createSchemaComponents();
  expect(components.convert(z.int().min(1))).toEqual({ type: 'integer', minimum: 1 });
  expect(components.convert(z.record(z.string(), z.string()))).toEqual({
    type: 'object',
    additionalProperties: { type: 'string' },
  });
  const examples = [{ id: 'a', $ref: 'b' }];
  expect(components.convert(z.object({ id: z.string() }).meta({ examples }))).toEqual({
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    examples,
  });
});

it('properties are not taken for keywords of the same name', () => {
  const components = createSchemaComponents();
  const song = z.object({ id: z.string() }).meta({ id: 'Song' });
  const schema = z.object({ default: song, examples: z.int(), propertyNames: z.string() });
  expect(components.convert(schema).properties).toEqual({
    default: { $ref: '#/components/schemas/Song' },
    examples: { type: 'integer' },
    propertyNames: { type: 'string' },
  });
});

it('schemas with a transform keep their examples and their default', () => {
  const limit = z
    .preprocess(Number, z.int())
    .meta({ default: 50, examples: [20] })
    .transform((value) => value * 2);
  expect(createSchemaComponents().convert(z.object({ limit }))).toMatchObject({
    properties: { limit: { type: 'integer', default: 50, examples: [20] } },
  });
});
