import { type Document, listOperationTypes, type Member, type Schema, shapeOf } from './schema.ts';

const HEADER = `/**
 * What crosses the wire, as plain types: a program that uses the SDK needs no schema library to compile.
 * Written from the OpenAPI document by \`npm run openapi\`; do not edit.
 */
`;

/** The types of the TypeScript client. */
export function writeTypeScriptTypes(document: Document): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `${comment(schema.description ?? null, '')}export type ${name} = ${printType(schema, '')};\n`,
  );
  const operations = listOperationTypes(document).map(({ id, params, query, body, responses }) =>
    [
      `  ${id}: {`,
      `    params: ${printParameters(params)};`,
      `    query: ${printParameters(query)};`,
      `    body: ${body === null ? 'undefined' : printType(body, '    ')};`,
      `    response: ${printResponses(responses)};`,
      '  };',
    ].join('\n'),
  );
  return [
    HEADER,
    ...schemas,
    `/** Every operation by its name: its request and its response. */\nexport type Operations = {\n${operations.join('\n')}\n};\n`,
  ].join('\n');
}

function printParameters(members: Member[]): string {
  return members.length === 0 ? 'undefined' : printMembers(members, '    ');
}

/** The JSON bodies an operation can respond with; `undefined` stands for a response without JSON, such as a file. */
function printResponses(responses: (Schema | null)[]): string {
  const types = responses.map((schema) => (schema === null ? 'undefined' : printType(schema, '    ')));
  return unique(types).join(' | ') || 'undefined';
}

function printType(schema: Schema, indent: string): string {
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case 'named':
      return shape.name;
    case 'literals':
      return shape.values.map(quote).join(' | ');
    case 'union':
      return unique(shape.schemas.map((option) => printType(option, indent))).join(' | ');
    case 'primitive':
      return shape.type === 'integer' ? 'number' : shape.type;
    case 'list': {
      const items = printType(shape.items, indent);
      return hasAlternatives(shape.items) ? `(${items})[]` : `${items}[]`;
    }
    case 'map':
      return `Record<string, ${printType(shape.values, indent)}>`;
    case 'object':
      return printMembers(shape.members, indent);
    case 'anything':
      return 'unknown';
  }
}

function hasAlternatives(schema: Schema): boolean {
  const shape = shapeOf(schema);
  return shape.kind === 'union' || (shape.kind === 'literals' && shape.values.length > 1);
}

function printMembers(members: Member[], indent: string): string {
  const inner = `${indent}  `;
  const lines = members.map(({ name, schema, required, description }) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
    return `${comment(description, inner)}${inner}${key}${required ? '' : '?'}: ${printType(schema, inner)};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function comment(description: string | null, indent: string): string {
  return description === null ? '' : `${indent}/** ${description.replaceAll('*/', '* /')} */\n`;
}

function quote(value: string | number | boolean): string {
  return typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : String(value);
}

function unique(types: string[]): string[] {
  return [...new Set(types)];
}
