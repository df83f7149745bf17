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
      `${comment(schema.description ?? null, '')}export type ${name} = ${print(schema, '')};\n`,
  );
  const operations = listOperationTypes(document).map(({ id, params, query, body, answers }) =>
    [
      `  ${id}: {`,
      `    params: ${printParameters(params)};`,
      `    query: ${printParameters(query)};`,
      `    body: ${body === null ? 'undefined' : print(body, '    ')};`,
      `    answer: ${printAnswers(answers)};`,
      '  };',
    ].join('\n'),
  );
  return [
    HEADER,
    ...schemas,
    `/** Every operation by its name: what it takes and what it answers. */\nexport type Operations = {\n${operations.join('\n')}\n};\n`,
  ].join('\n');
}

function printParameters(members: Member[]): string {
  return members.length === 0 ? 'undefined' : printMembers(members, '    ');
}

/** The JSON answers of an operation; undefined for one without JSON, such as a file. */
function printAnswers(answers: (Schema | null)[]): string {
  const types = answers.map((answer) => (answer === null ? 'undefined' : print(answer, '    ')));
  return unique(types).join(' | ') || 'undefined';
}

function print(schema: Schema, indent: string): string {
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case 'named':
      return shape.name;
    case 'literals':
      return shape.values.map(quote).join(' | ');
    case 'union':
      return unique(shape.schemas.map((option) => print(option, indent))).join(' | ');
    case 'primitive':
      return shape.type === 'integer' ? 'number' : shape.type;
    case 'list': {
      const items = print(shape.items, indent);
      return hasAlternatives(shape.items) ? `(${items})[]` : `${items}[]`;
    }
    case 'map':
      return `Record<string, ${print(shape.values, indent)}>`;
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
    return `${comment(description, inner)}${inner}${key}${required ? '' : '?'}: ${print(schema, inner)};`;
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
