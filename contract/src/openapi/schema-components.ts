import { z } from 'zod';

export type JsonSchema = { [key: string]: unknown };

/** Collects the named schemas of everything it converts, so that each appears once under components. */
export type SchemaComponents = {
  /** The schema as the document shows it: a reference when it has a name. */
  convert(schema: z.ZodType): JsonSchema;
  /** The same, without its name at the top: to be put together with others. */
  inline(schema: z.ZodType): JsonSchema;
  all(): Record<string, JsonSchema>;
};

export function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, JsonSchema>();
  const convert = (schema: z.ZodType): JsonSchema => {
    // `input` for requests and answers alike: answers have no transforms, and stay open to further fields.
    const { $defs, $schema, ...converted } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: restoreMeta,
    });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const tidied = tidy(definition) as JsonSchema;
      const known = components.get(name);
      if (known && JSON.stringify(known) !== JSON.stringify(tidied)) {
        throw new Error(`Two different schemas are called ${name}`);
      }
      components.set(name, tidied);
    }
    return tidy(converted) as JsonSchema;
  };
  return {
    convert,
    inline: (schema) => {
      const { $ref, ...own } = convert(schema);
      const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : null;
      return (name === null ? own : components.get(name)) ?? {};
    },
    all: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** zod drops examples and defaults of whatever parses text; ours are written for the input, so they hold. */
function restoreMeta({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: JsonSchema;
}): void {
  const meta = z.globalRegistry.get(zodSchema);
  if (meta?.examples) jsonSchema.examples = meta.examples;
  if (meta && 'default' in meta) jsonSchema.default = meta.default;
}

/** Points references at the components, and drops what says nothing: bounds of safe integers, keys that are strings. */
function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node)
    .filter(([key, value]) => !saysNothing(key, value))
    .map(([key, value]) => [key, key === '$ref' ? pointAtComponents(String(value)) : tidyMember(key, value)]);
  return Object.fromEntries(entries);
}

/** Examples are data: a field of theirs may be called `id` or `$ref` without meaning it. */
function tidyMember(key: string, value: unknown): unknown {
  return key === 'examples' || key === 'default' ? value : tidy(value);
}

function pointAtComponents(reference: string): string {
  return reference.replace('#/$defs/', '#/components/schemas/');
}

function saysNothing(key: string, value: unknown): boolean {
  if (key === 'id' && typeof value === 'string') return true;
  if (key === 'propertyNames') return JSON.stringify(value) === '{"type":"string"}';
  return (key === 'maximum' || key === 'minimum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}
