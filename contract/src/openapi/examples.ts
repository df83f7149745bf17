import type { JsonSchema } from './schema-components.ts';

/** A value that satisfies the schema: its own example if it has one, otherwise the simplest value of its type. */
export function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const examples = schema.examples as unknown[] | undefined;
  if (examples && examples.length > 0) return examples[0];
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ('default' in schema) return schema.default;
  if (typeof schema.$ref === 'string') {
    return exampleOf(components[schema.$ref.split('/').at(-1) ?? ''] ?? {}, components);
  }
  const choices = schema.anyOf as JsonSchema[] | undefined;
  if (choices?.[0]) return exampleOf(choices[0], components);
  return exampleOfType(schema, components);
}

function exampleOfType(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  switch (schema.type) {
    case 'object':
      return exampleOfObject(schema, components);
    case 'array':
      return [exampleOf((schema.items ?? {}) as JsonSchema, components)];
    case 'string':
      return schema.format === 'email'
        ? 'ada@example.com'
        : schema.format === 'uri'
          ? 'https://example.com/'
          : 'text';
    case 'integer':
      return schema.minimum ?? 1;
    case 'number':
      return schema.minimum ?? 0.5;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function exampleOfObject(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = new Set((schema.required ?? []) as string[]);
  const shown = Object.entries(properties).filter(([name]) => required.has(name));
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, components)]));
}
