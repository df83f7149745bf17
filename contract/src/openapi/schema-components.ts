import { z } from 'zod';

export type JsonSchema = { [key: string]: unknown };

/** Converts schemas and collects the named ones, so that each appears once under `components`. */
export type SchemaComponents = {
  /** The schema for the document: a reference if it has a name. */
  convert(schema: z.ZodType): JsonSchema;
  /** The schema itself even if it has a name, so that it can be combined with others. */
  inline(schema: z.ZodType): JsonSchema;
  all(): Record<string, JsonSchema>;
};

const COMPONENTS_START = '#/components/schemas/';

export function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, JsonSchema>();
  const convert = (schema: z.ZodType): JsonSchema => {
    // `input` for responses too: they have no transforms, and `output` would close them to additional fields.
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
      const converted = convert(schema);
      const { $ref } = converted;
      return typeof $ref === 'string' ? components.get($ref.slice(COMPONENTS_START.length))! : converted;
    },
    all: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** zod omits the examples and defaults of schemas with a transform. Ours describe the input, so they are restored. */
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

/** Points references at the components, and drops keywords without information, such as the bounds of safe integers. */
function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node)
    .filter(([key, value]) => !isRedundant(key, value))
    .map(([key, value]) => [key, tidyMember(key, value)]);
  return Object.fromEntries(entries);
}

function tidyMember(key: string, value: unknown): unknown {
  if (key === '$ref') return String(value).replace('#/$defs/', COMPONENTS_START);
  // Examples are data: `id` or `$ref` in them are ordinary fields.
  if (key === 'examples' || key === 'default') return value;
  if (key !== 'properties') return tidy(value);
  // The keys are names, not keywords.
  return Object.fromEntries(Object.entries(value as JsonSchema).map(([name, own]) => [name, tidy(own)]));
}

function isRedundant(key: string, value: unknown): boolean {
  if (key === 'id' && typeof value === 'string') return true;
  if (key === 'propertyNames') return JSON.stringify(value) === '{"type":"string"}';
  return (key === 'maximum' || key === 'minimum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}
