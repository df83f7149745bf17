import type { JsonSchema } from '@earshot/contract';

/** The section of the reference that describes each schema. */
export function writeSchemas(schemas: Record<string, JsonSchema>): string {
  const parts = Object.entries(schemas).map(([name, schema]) => {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
    const required = new Set((schema.required ?? []) as string[]);
    const rows = properties.map(([field, type]) => {
      const optional = required.has(field) ? '' : 'optional';
      return `| \`${field}\` | ${nameType(type)} | ${escapeCell([optional, type.description].filter(Boolean).join('; '))} |`;
    });
    const shape =
      rows.length > 0 ? `| Field | Type | |\n|---|---|---|\n${rows.join('\n')}` : `${nameType(schema)}.`;
    return [`### ${name} <a id="schema-${name}"></a>`, schema.description, shape]
      .filter(Boolean)
      .join('\n\n');
  });
  return `## Schemas\n\nThe shapes of bodies and answers, under their names.\n\n${parts.join('\n\n')}\n`;
}

/** The type in words; named schemas are links. */
export function nameType(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1);
    return `[${name}](#schema-${name})`;
  }
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return choices.map(nameType).join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map(writeValue).join(' or ');
  if ('const' in schema) return writeValue(schema.const);
  if (schema.type === 'array') return `array of ${nameType((schema.items ?? {}) as JsonSchema)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
  return schema.format ? `${type} (${schema.format})` : type;
}

/** An unescaped bar or a line break would end the cell of a table. */
export function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function writeValue(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
